import { textField } from '../../../files/row-fields.ts'
import { type Row, RowError } from '../../../files/row.ts'
import type { Task } from '../../../../tasks/task.ts'
import { binaryMetric } from '../../../../tasks/metric.ts'
import { anyForm } from '../any-form.ts'
import { codeRecipe } from './code-recipe.ts'

const capabilities = ['SQL']

export const sqlQuestions = codeRecipe({
  slug: 'sql-questions',
  provider: 'spider-bird',
  title: 'Questions to SQL (Spider, BIRD)',
  summary: 'Questions that a query on a SQLite database answers, graded by the rows that it gives.',
  description:
    'Whether a model turns a question into SQL. Its query and the gold query are run in SQLite, in the sandbox, and their rows are compared by the rules of BIRD and of Spider’s test suite.',
  howMade:
    'Bring a table with the columns "question", "database" (SQL that makes and fills the tables) and "query" or "SQL" (the gold query).',
  knownLimits: [
    'A query that gives the right rows on this database may be wrong on another. Give a list of databases as "database" to check it on several.',
    'The database is brought as SQL text, which `sqlite3 FILE .dump` writes.',
  ],
  runner: 'inspect',
  capabilities,
  license: { name: 'CC BY-SA 4.0 (Spider and BIRD)', url: 'https://creativecommons.org/licenses/by-sa/4.0/' },
  citation:
    'Zhong et al. (2020), Semantic Evaluation for Text-to-SQL with Distilled Test Suites, arXiv:2010.02840; Li et al. (2023), Can LLM Already Serve as a Database Interface? (BIRD), arXiv:2305.03111',
  homepage: 'https://github.com/taoyds/test-suite-sql-eval',
  promptTemplate:
    'A SQLite database has these tables:\n\n```sql\n{schema}\n```\n\n{question}\n\nAnswer with one query in a fenced block of SQL.',
  metrics: [
    binaryMetric('bird', 'Execution accuracy (BIRD)', 'bird/execution', { primary: true }),
    binaryMetric('spider', 'Execution accuracy (Spider)', 'spider/execution'),
  ],
  breakdowns: ['difficulty', 'db_id'],
  file: {
    fileName: 'questions.jsonl',
    url: 'https://github.com/taoyds/test-suite-sql-eval',
    download: null,
    sha256: null,
    purpose:
      'A table with "question", "database" (SQL) and "query" or "SQL"; also read: "id" or "question_id", "schema", "evidence", "db_id", "difficulty".',
  },
  content: { format: anyForm({ kind: 'jsonl' }), holds: 'tasks', read: readQuestion },
})

function readQuestion(row: Row): Task {
  const databases = databasesOf(row)
  const evidence = optionalText(row, 'evidence')
  const question = textField(row, 'question')
  const gold = textField(row, Object.hasOwn(row.value, 'SQL') ? 'SQL' : 'query')
  return {
    id: optionalText(row, 'id') || optionalText(row, 'question_id') || String(row.position),
    split: 'test',
    fields: {
      question: evidence === '' ? question : `${question}\n\nHint: ${evidence}`,
      schema: optionalText(row, 'schema') || tablesOf(databases[0] ?? ''),
    },
    targets: [gold],
    choices: null,
    metadata: {
      database: databases,
      db_id: optionalText(row, 'db_id') || 'Not stated',
      difficulty: optionalText(row, 'difficulty') || 'Not stated',
    },
    capabilities,
    dependsOn: [],
  }
}

function databasesOf(row: Row): string[] {
  const { database } = row.value
  if (!Array.isArray(database)) return [textField(row, 'database')]
  if (database.length === 0 || !database.every(text => typeof text === 'string'))
    throw new RowError('The field "database" must be SQL text, or a list of such texts.')
  return database
}

function optionalText({ value }: Row, name: string): string {
  const found = value[name]
  return typeof found === 'string' ? found.trim() : typeof found === 'number' ? String(found) : ''
}

/** What a model is shown of a database: the statements that make its tables, without the rows. */
function tablesOf(database: string): string {
  return [...database.matchAll(/^[ \t]*create\s+(?:table|view)\b(?:'[^']*'|"[^"]*"|[^;'"])*;?/gim)].map(([text]) => text.trim()).join('\n')
}
