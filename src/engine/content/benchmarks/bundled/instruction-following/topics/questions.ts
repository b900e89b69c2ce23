import type { Topic } from './topic.ts'

/** Questions that can be answered by yes, no or maybe. */
export const questions: readonly Topic[] = [
  {
    request: 'Is it a good idea to learn to cook before moving out?',
    title: 'Cooking for oneself',
    sentences: [
      'A few simple meals save money every week.',
      'They also taste better than most things out of a box.',
      'Cooking for friends is a fine way to find new ones.',
    ],
    keywords: ['meals', 'money', 'friends'],
    absent: ['restaurant', 'parents', 'recipe'],
  },
  {
    request: 'Should a small town close its centre to cars on Saturdays?',
    title: 'A centre without cars',
    sentences: [
      'People walk more slowly where no cars pass.',
      'Shops gain from visitors who stay longer.',
      'Older people still need a way to reach the market.',
    ],
    keywords: ['shops', 'visitors', 'market'],
    absent: ['bicycles', 'mayor', 'pollution'],
  },
  {
    request: 'Can a person learn to draw at the age of seventy?',
    title: 'Drawing at seventy',
    sentences: [
      'Drawing is mostly a habit of looking closely.',
      'A steady hand helps but a patient eye helps more.',
      'Half an hour a day brings visible progress within a year.',
    ],
    keywords: ['habit', 'hand', 'progress'],
    absent: ['talent', 'genius', 'pencil'],
  },
  {
    request: 'Is it wise to keep a diary?',
    title: 'Keeping a diary',
    sentences: [
      'Writing sorts the thoughts of a busy day.',
      'Old pages show how much has changed.',
      'Some people find that worries grow smaller on paper.',
    ],
    keywords: ['thoughts', 'pages', 'worries'],
    absent: ['secret', 'poem', 'lock'],
  },
  {
    request: 'Should schools start an hour later in winter?',
    title: 'A later bell',
    sentences: [
      'Many children leave home in the dark and arrive tired.',
      'A later start gives them more sleep.',
      'Families would have to change their mornings as well.',
    ],
    keywords: ['children', 'sleep', 'mornings'],
    absent: ['exam', 'bus', 'homework'],
  },
  {
    request: 'Is a wooden bridge strong enough for a park?',
    title: 'A bridge of wood',
    sentences: [
      'Wood carries heavy loads when the beams are thick.',
      'Rain is a greater danger than weight.',
      'A roof or a good coat of oil keeps it dry.',
    ],
    keywords: ['beams', 'roof', 'oil'],
    absent: ['steel', 'engineer', 'collapse'],
  },
  {
    request: 'Does a household of two need a freezer?',
    title: 'A freezer for two',
    sentences: [
      'A freezer keeps bread and soup for busy days.',
      'It also uses power all year.',
      'A small one inside the fridge is often enough.',
    ],
    keywords: ['bread', 'power', 'fridge'],
    absent: ['vegetables', 'supermarket', 'summer'],
  },
  {
    request: 'Is it fair to give every player of a team the same time on the field?',
    title: 'Time on the field',
    sentences: [
      'Young players improve only when they play.',
      'Winning is pleasant but learning is the purpose of the club.',
      'A final may be a reason for an exception.',
    ],
    keywords: ['players', 'club', 'final'],
    absent: ['referee', 'trophy', 'coach'],
  },
  {
    request: 'Would a night train be better than a flight for a trip of nine hundred kilometres?',
    title: 'By night train',
    sentences: [
      'A night train leaves in the evening and arrives before breakfast.',
      'The traveller saves a night in a hotel.',
      'Light sleepers may wish for a quieter bed.',
    ],
    keywords: ['evening', 'hotel', 'bed'],
    absent: ['luggage', 'airport', 'ticket'],
  },
  {
    request: 'Should a village save its old cinema?',
    title: 'The old cinema',
    sentences: [
      'The cinema is the only warm room where all ages meet.',
      'Its roof needs repair and the seats are worn.',
      'Volunteers have already offered their weekends.',
    ],
    keywords: ['room', 'seats', 'volunteers'],
    absent: ['streaming', 'popcorn', 'tax'],
  },
]
