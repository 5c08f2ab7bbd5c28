// Places, people and subjects of the sample calendar: a fictional small harbour town.

interface DemoTerm {
  readonly key: string;
  readonly name: string;
  readonly description?: string;
  /** Key of the parent category. */
  readonly parent?: string;
}

interface DemoVenue {
  readonly key: string;
  readonly name: string;
  readonly description: string;
  readonly address: string;
  readonly zip: string;
  readonly phone: string;
  readonly at: readonly [latitude: number, longitude: number];
}

interface DemoOrganizer {
  readonly key: string;
  readonly name: string;
  readonly description: string;
  readonly email: string;
  readonly phone: string;
}

export const TOWN = { city: 'Lantern Bay', province: 'Northshire', country: 'Exampleland' } as const;

export const CATEGORIES: readonly DemoTerm[] = [
  { key: 'music', name: 'Music', description: 'Everything that is played and sung.' },
  { key: 'concerts', name: 'Concerts', parent: 'music' },
  { key: 'open-stage', name: 'Open stage', parent: 'music' },
  { key: 'arts', name: 'Arts', description: 'To be seen, on walls, stages and screens.' },
  { key: 'exhibitions', name: 'Exhibitions', parent: 'arts' },
  { key: 'film', name: 'Film', parent: 'arts' },
  { key: 'theatre', name: 'Theatre', parent: 'arts' },
  { key: 'learning', name: 'Learning' },
  { key: 'talks', name: 'Talks', parent: 'learning' },
  { key: 'workshops', name: 'Workshops', parent: 'learning' },
  { key: 'community', name: 'Community' },
  { key: 'markets', name: 'Markets', parent: 'community' },
  { key: 'family', name: 'Family' },
  { key: 'outdoors', name: 'Outdoors', description: 'Bring a coat.' },
  { key: 'sport', name: 'Sport' },
];

export const TAGS: readonly DemoTerm[] = [
  ...['free entry', 'booking required', 'wheelchair accessible', 'for beginners', 'for children', 'live', 'food'],
  ...['local history', 'nature', 'charity', 'harbour', 'weekend'],
].map((name) => ({ key: name, name }));

export const VENUES: readonly DemoVenue[] = [
  {
    key: 'hall',
    name: 'Harbour Hall',
    description: '<p>The old customs hall on the quay: 400 seats, a bar, and the best echo in town.</p>',
    address: '1 Quay Street',
    zip: 'LB1 1AA',
    phone: '+00 555 0101',
    at: [54.4012, -3.2011],
  },
  {
    key: 'library',
    name: 'Town Library',
    description: '<p>Reading room on the first floor; the lift is to the right of the entrance.</p>',
    address: '12 Market Square',
    zip: 'LB1 2BT',
    phone: '+00 555 0102',
    at: [54.4031, -3.1987],
  },
  {
    key: 'square',
    name: 'Market Square',
    description: '<p>Between the library and the town hall.</p>',
    address: 'Market Square',
    zip: 'LB1 2BT',
    phone: '',
    at: [54.4029, -3.1982],
  },
  {
    key: 'cinema',
    name: 'Lighthouse Cinema',
    description: '<p>One screen, 90 seats, no advertisements.</p>',
    address: '4 Lamp Lane',
    zip: 'LB1 3CC',
    phone: '+00 555 0104',
    at: [54.4003, -3.2054],
  },
  {
    key: 'gallery',
    name: 'Ropewalk Gallery',
    description: '<p>Two hundred metres of wall in the former rope factory.</p>',
    address: '30 Ropewalk',
    zip: 'LB2 1DD',
    phone: '+00 555 0105',
    at: [54.3987, -3.2102],
  },
  {
    key: 'school',
    name: 'Evening School',
    description: '<p>Workshops in the yard, classrooms upstairs.</p>',
    address: '8 Chapel Hill',
    zip: 'LB2 2EE',
    phone: '+00 555 0106',
    at: [54.4064, -3.2041],
  },
  {
    key: 'park',
    name: 'Mill Park',
    description: '<p>Meet at the bandstand.</p>',
    address: 'Mill Road',
    zip: 'LB2 3FF',
    phone: '',
    at: [54.4088, -3.1923],
  },
  {
    key: 'pub',
    name: 'The Anchor & Kite',
    description: '<p>Back room with a small stage. Kitchen until nine.</p>',
    address: '17 Quay Street',
    zip: 'LB1 1AB',
    phone: '+00 555 0108',
    at: [54.4009, -3.2025],
  },
  {
    key: 'boathouse',
    name: 'Boathouse',
    description: '<p>At the end of the pier; changing rooms behind it.</p>',
    address: '2 Pier Road',
    zip: 'LB1 4GG',
    phone: '+00 555 0109',
    at: [54.3979, -3.1999],
  },
];

export const ORGANIZERS: readonly DemoOrganizer[] = [
  {
    key: 'music-society',
    name: 'Lantern Bay Music Society',
    description: '<p>Concerts since 1931.</p>',
    email: 'hello@music.lanternbay.example',
    phone: '+00 555 0201',
  },
  {
    key: 'library',
    name: 'Friends of the Library',
    description: '<p>Volunteers who keep the reading room open in the evening.</p>',
    email: 'friends@library.lanternbay.example',
    phone: '+00 555 0202',
  },
  {
    key: 'film-club',
    name: 'Film Club 16 mm',
    description: '<p>Old films from real reels.</p>',
    email: 'reels@film.lanternbay.example',
    phone: '',
  },
  {
    key: 'school',
    name: 'Evening School Association',
    description: '<p>Courses by neighbours for neighbours.</p>',
    email: 'office@school.lanternbay.example',
    phone: '+00 555 0204',
  },
  {
    key: 'town',
    name: 'Town Council',
    description: '<p>Markets, festivals and the noticeboard.</p>',
    email: 'events@council.lanternbay.example',
    phone: '+00 555 0205',
  },
  {
    key: 'rowers',
    name: 'Bay Rowing Club',
    description: '<p>Six boats and a kettle.</p>',
    email: 'crew@rowing.lanternbay.example',
    phone: '+00 555 0206',
  },
  {
    key: 'naturalists',
    name: 'Shoreline Naturalists',
    description: '<p>Birds, dunes and rock pools.</p>',
    email: 'walks@shoreline.lanternbay.example',
    phone: '',
  },
  {
    key: 'gallery',
    name: 'Ropewalk Artists',
    description: '<p>Thirty painters, potters and printers.</p>',
    email: 'studio@ropewalk.lanternbay.example',
    phone: '+00 555 0208',
  },
];
