/* The folders and files of BFCL's GorillaFileSystem, written for Assay after the documentation of its functions; where that leaves a behavior
   open (what a move onto a folder does, the form of diff and du), after what upstream does. `fs.cwd` holds the names of the folders from the
   root to the current one. */
;(() => {
  const rootOf = fs => Object.values(fs.root)[0]
  const folderAt = (fs, names) => names.reduce((folder, name) => folder.contents[name], rootOf(fs))
  const here = fs => folderAt(fs, fs.cwd).contents
  const has = (contents, name) => Object.hasOwn(contents, name)
  const pathOf = fs => `/${[Object.keys(fs.root)[0], ...fs.cwd].join('/')}`
  const linesOf = text => (text === '' ? [] : text.replace(/\n$/, '').split('\n'))
  const missing = (tool, name) => ({ error: `${tool}: ${name}: No such file or directory` })
  /** Reads a file of the current folder. */
  const reading = (tool, read) => (fs, args) => {
    const file = has(here(fs), args.file_name) ? here(fs)[args.file_name] : undefined
    return file?.type === 'file' ? read(file.content, args) : missing(tool, args.file_name)
  }
  const created = (tool, type, empty) => (fs, args) => {
    const name = args.dir_name ?? args.file_name
    if (name === '' || name.includes('/')) return { error: `${tool}: ${name}: give a name without a path` }
    if (has(here(fs), name)) return { error: `${tool}: ${name}: File exists` }
    here(fs)[name] = { type, ...empty() }
    return { result: null }
  }
  const placed =
    (tool, verb, isMove) =>
    (fs, { source, destination }) => {
      const contents = here(fs)
      if (!has(contents, source)) return missing(tool, source)
      if (destination.includes('/')) return { error: `${tool}: give a destination of the current directory, without a path` }
      const item = contents[source]
      const target = has(contents, destination) ? contents[destination] : undefined
      if (target?.type === 'file') return { error: `${tool}: ${destination}: Not a directory` }
      if (target === item || (target && has(target.contents, source))) return { error: `${tool}: ${destination}/${source}: File exists` }
      if (isMove) delete contents[source]
      ;(target?.contents ?? contents)[target ? source : destination] = isMove ? item : JSON.parse(JSON.stringify(item))
      return { result: `${verb} to ${target ? `${destination}/${source}` : destination}` }
    }
  const bytesOf = item =>
    item.type === 'file'
      ? unescape(encodeURIComponent(item.content)).length
      : Object.values(item.contents).reduce((sum, each) => sum + bytesOf(each), 0)
  const found = (contents, path, name) =>
    Object.entries(contents).flatMap(([each, item]) => [
      ...(name === undefined || each.includes(name) ? [`${path}/${each}`] : []),
      ...(item.type === 'directory' ? found(item.contents, `${path}/${each}`, name) : []),
    ])
  return {
    pwd: fs => ({ current_working_directory: pathOf(fs) }),
    ls: (fs, { a = false }) => ({ current_directory_content: Object.keys(here(fs)).filter(name => a || !name.startsWith('.')) }),
    cd: (fs, { folder }) => {
      if (folder === '..') {
        if (fs.cwd.length === 0) return { error: 'cd: the root has no parent directory' }
        fs.cwd.pop()
      } else if (folder !== '.') {
        if (!has(here(fs), folder) || here(fs)[folder].type !== 'directory') return missing('cd', folder)
        fs.cwd.push(folder)
      }
      return { current_working_directory: pathOf(fs) }
    },
    mkdir: created('mkdir', 'directory', () => ({ contents: {} })),
    touch: created('touch', 'file', () => ({ content: '' })),
    echo: (fs, { content, file_name: name }) => {
      if (name === undefined || name === null || name === 'None') return { terminal_output: content }
      if (name === '' || name.includes('/')) return { error: `echo: ${name}: give a name without a path` }
      if (has(here(fs), name) && here(fs)[name].type === 'directory') return { error: `echo: ${name}: Is a directory` }
      here(fs)[name] = { type: 'file', content }
      return { terminal_output: null }
    },
    cat: reading('cat', content => ({ file_content: content })),
    find: (fs, { path = '.', name }) => {
      const names = path === '.' ? [] : path.replace(/^\.\/|\/$/g, '').split('/')
      let folder = folderAt(fs, fs.cwd)
      for (const each of names) {
        if (folder.type !== 'directory' || !has(folder.contents, each)) return missing('find', path)
        folder = folder.contents[each]
      }
      if (folder.type !== 'directory') return missing('find', path)
      return { matches: found(folder.contents, path, name === 'None' ? undefined : (name ?? undefined)) }
    },
    wc: reading('wc', (content, { mode = 'l' }) => {
      if (mode === 'w') return { count: content.split(/\s+/).filter(word => word !== '').length, type: 'words' }
      if (mode === 'c') return { count: [...content].length, type: 'characters' }
      return mode === 'l' ? { count: linesOf(content).length, type: 'lines' } : { error: `wc: ${mode}: invalid mode` }
    }),
    sort: reading('sort', content => ({
      sorted_content: linesOf(content)
        .sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
        .join('\n'),
    })),
    grep: reading('grep', (content, { pattern }) => ({ matching_lines: linesOf(content).filter(line => line.includes(pattern)) })),
    tail: reading('tail', (content, { lines = 10 }) => ({ last_lines: lines > 0 ? linesOf(content).slice(-lines).join('\n') : '' })),
    diff: (fs, { file_name1: one, file_name2: other }) => {
      const files = [one, other].map(name =>
        has(here(fs), name) && here(fs)[name].type === 'file' ? linesOf(here(fs)[name].content) : null,
      )
      if (files.includes(null)) return missing('diff', files[0] === null ? one : other)
      const [first, second] = files
      return {
        diff_lines: first
          .slice(0, second.length)
          .flatMap((line, i) => (line === second[i] ? [] : [`- ${line}\n+ ${second[i]}`]))
          .join('\n'),
      }
    },
    du: (fs, { human_readable: human = false }) => {
      let size = bytesOf(folderAt(fs, fs.cwd))
      if (!human) return { disk_usage: `${size} bytes` }
      const units = ['B', 'KB', 'MB', 'GB']
      let unit = 0
      for (; size >= 1024 && unit < units.length - 1; unit++) size /= 1024
      return { disk_usage: `${size.toFixed(2)} ${units[unit]}` }
    },
    mv: placed('mv', 'moved', true),
    cp: placed('cp', 'copied', false),
    rm: (fs, { file_name: name }) => {
      if (!has(here(fs), name)) return missing('rm', name)
      delete here(fs)[name]
      return { result: `removed ${name}` }
    },
    rmdir: (fs, { dir_name: name }) => {
      const item = has(here(fs), name) ? here(fs)[name] : undefined
      if (!item) return missing('rmdir', name)
      if (item.type !== 'directory') return { error: `rmdir: ${name}: Not a directory` }
      if (Object.keys(item.contents).length > 0) return { error: `rmdir: ${name}: Directory not empty` }
      delete here(fs)[name]
      return { result: `removed ${name}` }
    },
  }
})()
