// Single events of the sample town, including one for each status.
import type { PostStatus } from '../../domain/post.ts';

export interface Single {
  readonly key: string;
  readonly title: string;
  readonly description: string;
  readonly venue: string | null;
  readonly organizers: readonly string[];
  readonly categories: readonly string[];
  readonly tags: readonly string[];
  /** Days after the first day of the calendar. */
  readonly day: number;
  /** Length in whole days; 0 if `at` gives a time. */
  readonly days: number;
  readonly at: string;
  readonly minutes: number;
  readonly cost: string;
  readonly status: PostStatus;
  readonly featured?: true;
  readonly sticky?: true;
  readonly password?: string;
  /** Key of its parent. */
  readonly partOf?: string;
  /** Days after the first day on which it will be published. */
  readonly publishedOn?: number;
}

const plain = { categories: [], tags: [], organizers: ['town'], days: 0, at: '10:00', minutes: 120, cost: '' } as const;

/** The password of the protected event. */
const DEMO_PASSWORD = 'lantern';

export const SINGLES: readonly Single[] = [
  {
    ...plain,
    key: 'exhibition',
    title: 'Salt and Light: forty years of harbour photography',
    description: '<p>Prints, contact sheets and the darkroom itself.</p>',
    venue: 'gallery',
    organizers: ['gallery'],
    categories: ['exhibitions'],
    tags: ['harbour', 'local history'],
    day: 45,
    days: 40,
    cost: '4',
    status: 'publish',
    featured: true,
  },
  {
    ...plain,
    key: 'festival',
    title: 'Festival of Lanterns',
    description: '<p>Three days on and around the quay. At dusk on Saturday the whole town lights up.</p>',
    venue: 'hall',
    organizers: ['town', 'music-society', 'gallery'],
    categories: ['community', 'music'],
    tags: ['live', 'food', 'weekend', 'free entry'],
    day: 96,
    days: 3,
    cost: '0',
    status: 'publish',
    featured: true,
    sticky: true,
  },
  {
    ...plain,
    key: 'parade',
    title: 'Lantern parade',
    description: '<p>From Market Square to the pier, led by the brass band.</p>',
    venue: 'square',
    categories: ['community', 'family'],
    tags: ['for children'],
    day: 97,
    at: '18:30',
    cost: '0',
    status: 'publish',
    partOf: 'festival',
  },
  {
    ...plain,
    key: 'lantern-making',
    title: 'Make your own lantern',
    description: '<p>Paper, wire and glue are there. Children under eight bring a grown-up.</p>',
    venue: 'school',
    organizers: ['school'],
    categories: ['workshops', 'family'],
    tags: ['for children', 'for beginners'],
    day: 96,
    at: '14:00',
    cost: '3',
    status: 'publish',
    partOf: 'festival',
  },
  {
    ...plain,
    key: 'regatta',
    title: 'Autumn regatta',
    description: '<p>Eight heats and a final, to be watched from the pier.</p>',
    venue: 'boathouse',
    organizers: ['rowers'],
    categories: ['sport'],
    tags: ['harbour', 'weekend'],
    day: 118,
    at: '11:00',
    minutes: 300,
    status: 'future',
    publishedOn: 79,
  },
  {
    ...plain,
    key: 'members',
    title: 'Members’ preview of the new season',
    description: '<p>The whole programme before it is announced, with wine.</p>',
    venue: 'hall',
    organizers: ['music-society'],
    categories: ['concerts'],
    day: 80,
    at: '19:00',
    status: 'publish',
    password: DEMO_PASSWORD,
  },
  {
    ...plain,
    key: 'committee',
    title: 'Festival committee',
    description: '<p>Agenda: first aid, power on the quay, toilets.</p>',
    venue: 'library',
    day: 84,
    at: '17:00',
    status: 'private',
  },
  {
    ...plain,
    key: 'swim',
    title: 'New Year’s swim',
    description: '<p>Needs an agreement with the lifeguards first.</p>',
    venue: 'boathouse',
    day: 130,
    status: 'draft',
  },
  {
    ...plain,
    key: 'flea-market',
    title: 'Flea market in the rope factory',
    description: '<p>Proposed by the artists; the council has to look at it.</p>',
    venue: 'gallery',
    organizers: ['gallery'],
    categories: ['markets'],
    day: 110,
    minutes: 360,
    status: 'pending',
  },
  {
    ...plain,
    key: 'webinar',
    title: 'Online: how to read a tide table',
    description: '<p>The address of the meeting comes by mail.</p>',
    venue: null,
    organizers: ['naturalists'],
    categories: ['talks'],
    tags: ['for beginners', 'free entry'],
    day: 85,
    at: '18:00',
    minutes: 45,
    cost: '0',
    status: 'publish',
  },
];
