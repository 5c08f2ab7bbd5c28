// Recurring events of the sample town: organizer, place, weekday, price.

export interface Programme {
  readonly key: string;
  /** `{subject}` stands for one of the subjects; all are used before any repeats. */
  readonly title: string;
  readonly subjects: readonly string[];
  readonly description: string;
  readonly venue: string;
  readonly organizers: readonly string[];
  readonly categories: readonly string[];
  readonly tags: readonly string[];
  /** Day of the week, 0 for Monday. */
  readonly weekday: number;
  /** `HH:MM`, site time. */
  readonly at: string;
  readonly minutes: number;
  /** Interval in weeks. */
  readonly every: number;
  /** One of them each time; an empty one gives no cost. */
  readonly costs: readonly string[];
}

export const PROGRAMMES: readonly Programme[] = [
  {
    key: 'market',
    title: 'Farmers’ market',
    subjects: [''],
    description:
      '<p>Vegetables, cheese, bread and flowers from within twenty miles.</p>\n\n<p>In strong wind the stalls move under the arcades of the town hall.</p>',
    venue: 'square',
    organizers: ['town'],
    categories: ['markets', 'outdoors'],
    tags: ['free entry', 'food', 'weekend'],
    weekday: 5,
    at: '08:00',
    minutes: 300,
    every: 1,
    costs: ['0'],
  },
  {
    key: 'concert',
    title: '{subject}',
    subjects: [
      'Brass at the Quay',
      'An Evening of Cello Suites',
      'The Tide Choir sings Spirituals',
      'Harbour Jazz Quartet',
      'Piano by Candlelight',
      'Songs of the Fishing Fleet',
      'Young Strings',
      'Two Guitars and a Double Bass',
    ],
    description:
      '<p>Doors open half an hour before. There is an interval with drinks in the foyer.</p>\n\n<p>Members of the society sit in the first rows.</p>',
    venue: 'hall',
    organizers: ['music-society'],
    categories: ['concerts'],
    tags: ['live', 'booking required', 'wheelchair accessible'],
    weekday: 4,
    at: '19:30',
    minutes: 120,
    every: 1,
    costs: ['12', '$10, $15', '18', '8 - 14'],
  },
  {
    key: 'story-hour',
    title: 'Story hour: {subject}',
    subjects: ['the bear who lost his hat', 'pirates and porridge', 'a whale in the garden', 'tales from the sea'],
    description: '<p>For children from four to eight. Parents may stay, or have coffee next door.</p>',
    venue: 'library',
    organizers: ['library'],
    categories: ['family'],
    tags: ['free entry', 'for children', 'wheelchair accessible'],
    weekday: 2,
    at: '15:00',
    minutes: 60,
    every: 1,
    costs: ['0'],
  },
  {
    key: 'film',
    title: 'Film Club: {subject}',
    subjects: [
      'The Lighthouse Keeper’s Daughter (1936)',
      'Fog over Pier Nine (1948)',
      'Winter Ferry (1957)',
      'A Suitcase for Two (1961)',
      'The Paper Astronaut (1968)',
      'The Empty Orchestra (1972)',
    ],
    description: '<p>From 16 mm, with a short introduction. The projector needs a pause after the first reel.</p>',
    venue: 'cinema',
    organizers: ['film-club'],
    categories: ['film'],
    tags: ['booking required'],
    weekday: 3,
    at: '20:00',
    minutes: 130,
    every: 1,
    costs: ['7', '$7'],
  },
  {
    key: 'talk',
    title: 'Thursday talk: {subject}',
    subjects: [
      'how the harbour silted up',
      'the town in maps, 1610 to today',
      'what mussels tell of the water',
      'letters from the lifeboat crew',
      'who was the Grey Lady of Chapel Hill?',
      'the physics of knots',
    ],
    description: '<p>Forty minutes of talk, twenty of questions.</p>',
    venue: 'library',
    organizers: ['library', 'town'],
    categories: ['talks'],
    tags: ['free entry', 'local history', 'wheelchair accessible'],
    weekday: 3,
    at: '18:30',
    minutes: 60,
    every: 2,
    costs: ['By donation', '0'],
  },
  {
    key: 'workshop',
    title: 'Workshop: {subject}',
    subjects: [
      'bookbinding for beginners',
      'repair your bicycle',
      'bread with sourdough',
      'linocut in two evenings',
      'mending wool',
      'first steps in letterpress',
    ],
    description: '<p>All material is included. Wear something that may get dirty.</p>',
    venue: 'school',
    organizers: ['school'],
    categories: ['workshops'],
    tags: ['for beginners', 'booking required'],
    weekday: 1,
    at: '18:00',
    minutes: 150,
    every: 1,
    costs: ['25', '30', '$20 - $35'],
  },
  {
    key: 'open-stage',
    title: 'Open stage at the Anchor',
    subjects: [''],
    description: '<p>Ten minutes each, put your name on the slate before seven.</p>',
    venue: 'pub',
    organizers: ['music-society'],
    categories: ['open-stage'],
    tags: ['live', 'free entry', 'food'],
    weekday: 0,
    at: '20:00',
    minutes: 180,
    every: 2,
    costs: ['0'],
  },
  {
    key: 'walk',
    title: '{subject}',
    subjects: [
      'Dawn walk: waders on the mudflats',
      'Rock pools at low water',
      'Mushrooms of Mill Park',
      'Bats over the bandstand',
    ],
    description: '<p>Sturdy shoes, a warm drink, and binoculars if you have any. Dogs stay at home.</p>',
    venue: 'park',
    organizers: ['naturalists'],
    categories: ['outdoors', 'family'],
    tags: ['nature', 'free entry', 'weekend'],
    weekday: 6,
    at: '09:00',
    minutes: 120,
    every: 2,
    costs: ['0', 'By donation'],
  },
  {
    key: 'rowing',
    title: 'Try rowing',
    subjects: [''],
    description:
      '<p>An hour on the water with an experienced crew. Life jackets are there; you must be able to swim.</p>',
    venue: 'boathouse',
    organizers: ['rowers'],
    categories: ['sport', 'outdoors'],
    tags: ['for beginners', 'harbour'],
    weekday: 5,
    at: '10:30',
    minutes: 90,
    every: 1,
    costs: ['5'],
  },
  {
    key: 'theatre',
    title: '{subject}',
    subjects: ['The Tempest, with real water', 'Three Sisters and a Kettle', 'A Play in One Lift'],
    description: '<p>By the amateur company of the town. No interval.</p>',
    venue: 'hall',
    organizers: ['town', 'music-society'],
    categories: ['theatre'],
    tags: ['live', 'booking required', 'wheelchair accessible'],
    weekday: 5,
    at: '19:00',
    minutes: 110,
    every: 3,
    costs: ['14', '$12, $16'],
  },
];
