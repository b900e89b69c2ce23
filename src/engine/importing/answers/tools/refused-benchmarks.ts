import { evidence, type RefusedTool, table, tables } from './refused-tool.ts'

const answersOfChats =
  'Judgments hold no answers. Send model_answer/*.jsonl as a table for a benchmark, with the score of each as a column.'

/** Results of benchmarks, as their own programs write them; the most particular first. */
export const refusedBenchmarks: readonly RefusedTool[] = [
  {
    tool: 'Terminal-Bench',
    instead: evidence('Tasks are done in containers', 'its trials as CSV with "task_id" and "is_resolved"'),
    marks: [{ fields: 'is_resolved parser_results|trial_name' }],
  },
  {
    tool: 'SWE-bench',
    instead: evidence('Patches are tested in repositories', 'the harness’s report as CSV with "instance_id" and "resolved"'),
    marks: [
      { fields: 'model_patch|patch_successfully_applied|resolved_instances' },
      { fields: 'resolved_ids unresolved_ids' },
      { fields: 'no_generation resolved' },
    ],
  },
  {
    tool: 'SWE-agent or OpenHands',
    instead: evidence('Patches are tested in repositories', 'the report of SWE-bench as CSV with "instance_id" and "resolved"'),
    marks: [{ fields: 'trajectory exit_status|submission' }, { fields: 'trajectory_format' }, { fields: 'instance_id git_patch' }],
  },
  {
    tool: 'τ²-bench',
    instead: evidence('Tasks are conversations with simulated users', 'its simulations as CSV with "task_id" and "reward"'),
    marks: [
      { fields: 'user_info agent_info|environment_info num_trials|max_steps' },
      { fields: 'simulations reward_info' },
      { fields: 'user_scenario evaluation_criteria' },
    ],
  },
  {
    tool: 'AgentBench',
    instead: evidence('Tasks are done in environments of its own', 'its runs.jsonl as CSV with "index" and the result of each'),
    marks: [{ fields: 'index output history status timestamp str' }, { fields: 'total validation', head: /"agent context limit"\s*:/ }],
  },
  {
    tool: 'WebArena or BrowserGym',
    instead: evidence('Tasks are done on websites', 'a CSV with "task_id" and "score"'),
    marks: [{ fields: 'cum_reward n_steps' }, { columns: 'cum_reward' }, { fields: 'sites intent eval_types|eval' }],
  },
  {
    tool: 'METR',
    instead: evidence('Tasks are done in containers', 'its runs as CSV with "task_id" and "score_binarized"'),
    marks: [{ fields: 'task_family score_binarized|score_cont|human_minutes' }, { columns: 'task_family score_binarized|human_minutes' }],
  },
  {
    tool: 'Aider',
    instead: evidence('Exercises are solved in folders of files', 'its results as CSV with "testcase" and whether it passed'),
    marks: [{ fields: 'testcase tests_outcomes' }],
  },
  {
    tool: 'MTEB',
    instead: 'Assay does not score embeddings by its tasks. Send its main scores as CSV with "task" and "score" as evidence of a release.',
    marks: [{ fields: 'mteb_version|mteb_dataset_name' }, { fields: 'main_score hf_subset' }],
  },
  {
    tool: 'EvalPlus',
    instead:
      'Results of its first releases hold no programs. Evaluate the samples again, and send the file whose name ends in _eval_results.json.',
    marks: [{ head: /"eval"\s*:\s*\{\s*"[^"]{1,100}"\s*:\s*\{\s*"nfiles"\s*:/ }],
  },
  {
    tool: 'HumanEval or EvalPlus',
    instead: 'Samples hold programs without their problems: name the profile of HumanEval, MBPP, HumanEval+ or MBPP+ that they answer.',
    marks: [{ head: /^\s*\{\s*"task_id"\s*:\s*"(?:HumanEval|Mbpp)\/\d+"[^\n]*"(?:completion|solution)"\s*:/ }],
  },
  { tool: 'MT-Bench', instead: answersOfChats, marks: [{ fields: 'judgment question_id' }] },
  {
    tool: 'MT-Bench, Arena-Hard or LiveBench',
    instead: 'Answers come without scores: import them as outputs for a benchmark with its questions, and choose an evaluator.',
    marks: [{ fields: 'answer_id choices turns' }, { fields: 'ans_id messages' }],
  },
  {
    tool: 'MT-Bench or Chatbot Arena',
    instead: 'Pairwise judgments hold no answers. Rank the models from them under "Ranking" (POST /v1/comparisons/rank).',
    marks: [{ fields: 'g1_winner model_1' }, { fields: 'model_a model_b winner' }, { columns: 'model_a model_b winner' }],
  },
  { tool: 'Arena-Hard', instead: answersOfChats, marks: [{ fields: 'judge', head: /"games"\s*:\s*\[/ }] },
  {
    tool: 'AlpacaEval',
    instead: 'A leaderboard holds no answers. Send annotations.json, which has the outputs and preferences.',
    marks: [{ columns: 'win_rate n_total|avg_length' }],
  },
  { tool: 'LiveBench', instead: answersOfChats, marks: [{ fields: 'question_id tstamp score' }] },
  {
    tool: 'LiveBench',
    instead: 'Import the questions as benchmark data (JSON Lines), with "turns" as the question: they hold no answers of a model.',
    marks: [{ fields: 'question_id livebench_release_date' }],
  },
  {
    tool: 'MT-Bench',
    instead: 'Import the questions as benchmark data with the recipe "mt-bench": they hold no answers of a model.',
    marks: [{ head: /^\s*\{\s*"question_id"\s*:\s*\d+\s*,\s*"category"\s*:\s*"\w+"\s*,\s*"turns"\s*:\s*\[/ }],
  },
  {
    tool: 'WildBench or ZeroEval',
    instead: table('its "session_id"', 'its "output" or "model_output"', '"score", where it is judged'),
    marks: [{ fields: 'session_id chat_history generator' }, { fields: 'session_id model_output parsed_result' }],
  },
  {
    tool: 'MultiPL-E',
    instead: table('the "name" of its problem', 'its "program"', 'whether the "status" is "OK"'),
    marks: [{ fields: 'program stdout exit_code status' }],
  },
  {
    tool: 'IFEval',
    instead:
      'Import it as outputs for the benchmark of the recipe "ifeval", with "response" as the output: the instructions are checked again.',
    tables: ['jsonl'],
    marks: [{ fields: 'follow_instruction_list follow_all_instructions' }],
  },
  {
    tool: 'MMLU-Pro',
    instead:
      'Import it as outputs for the benchmark of the recipe "mmlu-pro", with "question_id" as the task and "model_outputs" as the output.',
    tables: ['json', 'jsonl'],
    marks: [{ fields: 'question_id answer_index model_outputs|pred' }],
  },
  {
    tool: 'MMMU',
    instead: table('its "id"', 'its "response"'),
    tables: ['json', 'jsonl'],
    marks: [{ fields: 'all_choices index2ans response' }],
  },
  {
    tool: 'GAIA',
    instead: table('its "task_id"', 'its "model_answer"'),
    tables,
    marks: [{ fields: 'model_answer', head: /"task_id"\s*:\s*"[\da-f]{8}-[\da-f]{4}-/ }],
  },
  {
    tool: 'garak',
    instead: 'Send its attempts as a table of "id", "output" and "score" (of "detector_results") for a benchmark with its prompts.',
    marks: [{ head: /"entry_type"\s*:\s*"(?:start_run|init|attempt|eval|config|digest)/ }],
  },
  {
    tool: 'HarmBench',
    instead: table('the behavior', 'its "generation"', '"label" as a score'),
    marks: [{ fields: 'label', head: /^\s*\{\s*"[^"]{1,200}"\s*:\s*\[\s*\{\s*"test_case"\s*:[^]{0,20000}"generation"\s*:/ }],
  },
  {
    tool: 'Harbor or Terminal-Bench',
    instead: evidence('Tasks are done in containers', 'its trials as CSV with "task_name" and "reward"'),
    marks: [{ fields: 'trial_name verifier_result' }],
  },
  {
    tool: 'Humanity’s Last Exam',
    instead: table('its key', 'its "response"', 'a column with 1 where "correct" of "judge_response" is yes'),
    marks: [{ fields: 'response judge_response' }],
  },
  {
    tool: 'RULER or LongBench',
    instead: table('the number of its row', 'its "pred"'),
    tables,
    marks: [{ fields: 'pred answers all_classes' }, { fields: 'pred outputs truncation|others' }],
  },
  {
    tool: 'MMMU',
    instead: 'Import it as outputs for a benchmark with its questions (format "json").',
    tables: ['json'],
    marks: [{ head: /^\s*\{\s*"(?:validation|test|dev)_[A-Z]\w{1,60}_\d+"\s*:\s*"/ }],
  },
  {
    tool: 'BIG-bench',
    instead:
      'Figures alone are not imported. Send a table of "id", "output" and "score", and import it as outputs for a benchmark of its task.json.',
    marks: [{ fields: 'score_dict preferred_score' }],
  },
  {
    tool: 'Vectara’s leaderboard',
    instead: 'Import it as outputs for a benchmark with its texts as questions, with "source" as the question and "summary" as the output.',
    tables: ['csv'],
    marks: [{ columns: 'source summary model', name: /^leaderboard/ }, { columns: 'source summary hhem_score' }],
  },
  {
    tool: 'BFCL, LiveBench or RewardBench',
    instead:
      'A leaderboard holds no answers. Send the answers of one model, with the score of each, as outputs for a benchmark with its questions.',
    marks: [
      { head: /^Rank,Overall Acc,Model\b/ },
      { columns: 'model average', name: /^(?:all_)?(?:groups|tasks)/ },
      { fields: 'model Chat Safety Reasoning', head: /"Chat Hard"\s*:/ },
    ],
  },
]
