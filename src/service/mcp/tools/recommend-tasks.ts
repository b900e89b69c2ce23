import { z } from 'zod'
import { defineTool } from '../tool.ts'
import { isPlainId, untrusted } from '../untrusted.ts'

export const recommendTasks = defineTool({
  name: 'recommend_tasks',
  title: 'Recommend tasks',
  description:
    'Exact tasks for an objective; evaluate_tasks takes selections or untrusted_data.selections as task_selections. A result on them is no full benchmark score.',
  effect: 'read',
  calls: ['recommendTasks'],
  input: z.strictObject({
    objective: z.string().trim().min(3).max(2000),
    task_limit: z.int().min(1).max(1000).default(20),
    models: z.array(z.string().min(1).max(200)).max(20).default([]).describe('To evaluate, as in list_models.'),
  }),
  page: () => '/suites/new',
  run: async (body, { call, pageUrl }) => {
    const { selections, sources, tasks, warnings, exclusions } = await call('recommendTasks', { body })
    const isPlain = selections.every(({ task_ids: ids }) => ids.every(isPlainId))
    return {
      tasks,
      ...(isPlain && { selections }),
      sources: sources.map(source => ({
        source_ref: source.source_ref,
        profile_id: source.profile_id,
        tasks: source.tasks.length,
        tasks_available: source.tasks_available,
      })),
      excluded: exclusions.length,
      ...untrusted(
        { titles: Object.fromEntries(sources.map(({ source_ref: ref, title }) => [ref, title])), warnings },
        isPlain ? {} : { selections },
      ),
      page: pageUrl('/suites/new'),
    }
  },
})
