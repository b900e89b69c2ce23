/**
 * Runs scripts of promptfoo inside the sandbox, as promptfoo reads them: one line is an expression, or declarations and an expression
 * after them; more lines are the body of a function; a module exports a function.
 */
export const scriptRunner = `
const { beginScript, endScript } = (() => {
  let settled = null
  const failed = error => { settled = { failed: String(error?.message ?? error).slice(0, 500) } }
  const absent = name => { throw new Error('The sandbox has no module ' + name) }

  function inline(code) {
    const text = code.trim()
    if (text.includes('\\n')) return new Function('output', 'context', text)
    const line = text.replace(/;+\\s*$/, '')
    if (!/^(?:const|let|var)\\s/.test(line)) return new Function('output', 'context', 'return ' + line)
    return (output, context) => new Function('output', 'context', 'code', 'return eval(code)')(output, context, line)
  }

  function exported(code, name) {
    const module = { exports: {} }
    new Function('module', 'exports', 'require', code.replace(/^export\\s+default\\s+/m, 'module.exports.default = '))(module, module.exports, absent)
    const found = name === '' ? (module.exports.default ?? module.exports) : module.exports[name]
    if (typeof found !== 'function') throw new Error('The module exports no function ' + name)
    return found
  }

  return {
    beginScript(text) {
      settled = { failed: 'It did not end.' }
      try {
        const { script, output, context } = JSON.parse(text)
        const run = script.export === undefined ? inline(script.code) : exported(script.code, script.export)
        Promise.resolve(run(output, context)).then(value => { settled = { value: value ?? null } }, failed)
      } catch (error) {
        failed(error)
      }
    },
    endScript: () => JSON.stringify(settled),
  }
})()
`
