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

/**
 * The same for Python: one line is an expression, more lines are the body of a function, a module has `get_assert` or the function that
 * is named. Without a module, a file or the network there is no verdict; any other error fails the assertion, as in promptfoo.
 */
export const pythonScriptRunner = `
import json as _json

def _read(value, threshold):
    if isinstance(value, str):
        text = value.strip()
        if text.lower() in ('true', 'false'):
            return text.lower() == 'true'
        value = _json.loads(text) if text.startswith('{') else float(text)
    if isinstance(value, dict):
        passed = value.get('pass', value.get('pass_'))
        score = value.get('score')
        if not isinstance(passed, bool) or not isinstance(score, (int, float)) or not isinstance(value.get('reason'), str):
            raise ValueError('The result has no pass, score and reason')
        return {'pass': passed and (threshold is None or score >= threshold), 'score': score, 'reason': value['reason']}
    if not isinstance(value, (bool, int, float)):
        raise ValueError('The result is no verdict')
    return value

def run_script(text):
    told = _json.loads(text)
    script = told['script']
    code = script['code']
    scope = {'__name__': 'assertion'}
    try:
        if 'export' in script:
            exec(code, scope)
            found = scope[script['export'] or 'get_assert']
        else:
            lines = code.split('\\n')
            body = lines if len(lines) > 1 else ['return ' + code.strip()]
            exec('import json\\ndef main(output, context):\\n' + '\\n'.join('    ' + line for line in body), scope)
            found = scope['main']
        value = _read(found(told['output'], told['context']), told.get('threshold'))
        return _json.dumps({'value': value}, allow_nan=False)
    except ImportError as error:
        return _json.dumps({'unknown': 'A script of the test needs the module ' + str(error.name) + ', which the sandbox has not.'})
    except OSError as error:
        return _json.dumps({'unknown': 'A script of the test needs files or the network, which the sandbox has not: ' + str(error)[:200]})
    except Exception as error:
        return _json.dumps({'failed': str(error)[:500]})
`
