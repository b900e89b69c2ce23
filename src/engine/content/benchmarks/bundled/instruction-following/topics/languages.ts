import type { Topic } from './topic.ts'

/** Requests that want another language than English. */
export interface ForeignTopic extends Topic {
  /** ISO 639-1. */
  readonly language: string
  readonly languageName: string
}

const none = { keywords: [], absent: [] } as const

export const languages: readonly ForeignTopic[] = [
  {
    ...none,
    language: 'de',
    languageName: 'German',
    request: 'Tell a guest where to find the railway station.',
    title: 'Der Weg zum Bahnhof',
    sentences: [
      'Der Bahnhof ist nicht weit von hier und Sie brauchen nur zehn Minuten.',
      'Gehen Sie die Straße hinunter und über die Brücke.',
      'Auf der anderen Seite sehen Sie eine große Uhr und das ist der Bahnhof.',
      'Der Zug in die Stadt fährt von dem ersten Gleis.',
    ],
  },
  {
    ...none,
    language: 'de',
    languageName: 'German',
    request: 'Describe a garden in spring.',
    title: 'Der Garten im Frühling',
    sentences: [
      'Im Frühling ist der Garten voller Farben und die Vögel singen am Morgen.',
      'Die ersten Blumen stehen unter dem alten Baum.',
      'Auf dem Weg liegt noch ein wenig Laub aus dem Herbst.',
      'Die Kinder spielen mit dem Hund und die Sonne ist warm.',
    ],
  },
  {
    ...none,
    language: 'fr',
    languageName: 'French',
    request: 'Invite a friend to dinner.',
    title: 'Une invitation',
    sentences: [
      'Je vous invite à dîner dans la maison de mes parents samedi soir.',
      'Nous avons une grande table et il y a une place pour vous.',
      'Le repas est simple mais les légumes sont du jardin.',
      'Vous êtes le bienvenu avec votre famille.',
    ],
  },
  {
    ...none,
    language: 'fr',
    languageName: 'French',
    request: 'Explain why reading is useful.',
    title: 'Pourquoi lire',
    sentences: [
      'La lecture est une porte qui ouvre sur le monde.',
      'Les livres nous apprennent les mots et les idées des autres.',
      'Un enfant qui lit le soir dort dans le calme.',
      'Il est bon de garder un livre dans son sac pour les moments vides.',
    ],
  },
  {
    ...none,
    language: 'es',
    languageName: 'Spanish',
    request: 'Recommend a market to a visitor.',
    title: 'El mercado',
    sentences: [
      'El mercado está en la plaza y abre por la mañana.',
      'Los vendedores son amables y la fruta es muy fresca.',
      'Es mejor llegar temprano porque al mediodía hay mucha gente.',
      'No se olvide de probar el pan con aceite de la señora de la esquina.',
    ],
  },
  {
    ...none,
    language: 'es',
    languageName: 'Spanish',
    request: 'Describe a walk along the sea.',
    title: 'Un paseo junto al mar',
    sentences: [
      'El camino sigue la costa y el mar se ve desde todas las curvas.',
      'Por la tarde el viento es suave y los barcos vuelven al puerto.',
      'Hay un banco de madera donde se puede descansar.',
      'La luz de la tarde hace que las casas parezcan de oro.',
    ],
  },
  {
    ...none,
    language: 'it',
    languageName: 'Italian',
    request: 'Explain how to cook pasta.',
    title: 'Come cuocere la pasta',
    sentences: [
      'Si mette molta acqua in una pentola grande e si aspetta che bolla.',
      'Il sale si aggiunge prima della pasta e non dopo.',
      'La pasta cuoce per il tempo che è scritto sulla scatola.',
      'Un poco di acqua della pentola rende la salsa più morbida.',
    ],
  },
  {
    ...none,
    language: 'it',
    languageName: 'Italian',
    request: 'Describe a village in the mountains.',
    title: 'Un paese di montagna',
    sentences: [
      'Il paese è piccolo ma le case sono belle e la gente è gentile.',
      'La fontana della piazza ha acqua fredda che viene dalla montagna.',
      'Di sera si sente il suono delle campane nella valle.',
      'Non ci sono molte strade e per questo i bambini giocano anche fuori.',
    ],
  },
  {
    ...none,
    language: 'pt',
    languageName: 'Portuguese',
    request: 'Thank a colleague for help.',
    title: 'Obrigado',
    sentences: [
      'Muito obrigado pela sua ajuda com o projeto da semana passada.',
      'Não foi fácil mas você teve sempre uma boa solução.',
      'O cliente ficou feliz com o resultado e eu também.',
      'Para a próxima reunião eu levo o café e os bolos.',
    ],
  },
  {
    ...none,
    language: 'nl',
    languageName: 'Dutch',
    request: 'Tell a tourist about cycling in a city.',
    title: 'Fietsen in de stad',
    sentences: [
      'In de stad is de fiets het beste middel om ergens te komen.',
      'Er zijn aparte paden en de auto moet vaak wachten.',
      'Het is niet moeilijk maar je moet wel een goed slot hebben.',
      'Na een dag op de fiets zijn de benen moe en is het hoofd vrij.',
    ],
  },
]
