// Working examples of bodies, for trying requests out. A test sends each of them, in every media type.

/** A body by its members: texts, numbers, flags and lists of texts, which every media type can express. */
export interface Example {
  readonly [name: string]: string | number | boolean | readonly string[] | ExampleObject;
}

/** In forms its members are words: `author=review approvals=1`. */
interface ExampleObject {
  readonly [name: string]: string | number | boolean;
}

/** By resource: its creation, and its change. */
export interface Examples {
  readonly create: Example;
  readonly change: Example;
}

export const POST_EXAMPLES = {
  event: {
    create: {
      title: 'Concert in the park',
      start_date: '2027-06-18T19:30:00+02:00',
      end_date: '2027-06-18T22:00:00+02:00',
      timezone: 'Europe/Berlin',
      description: 'Chamber music under the old lime trees. Bring a blanket.',
      cost: '12 €',
      website: 'https://music.example/park',
      categories: ['Concerts'],
      tags: ['open air'],
    },
    change: { start_date: '2027-06-18T20:00:00+02:00', end_date: '2027-06-18T22:30:00+02:00' },
  },
  venue: {
    create: {
      venue: 'Town park',
      address: '12 Mill Lane',
      city: 'Leeds',
      zip: 'LS1 4AP',
      country: 'United Kingdom',
      geo_lat: 53.7997,
      geo_lng: -1.5492,
    },
    change: { phone: '+44 113 496 0000', website: 'https://park.example' },
  },
  organizer: {
    create: { organizer: 'Music society', email: 'office@music.example', website: 'https://music.example' },
    change: { phone: '+44 113 496 0001' },
  },
} as const satisfies { readonly [kind: string]: Examples };

export const TERM_EXAMPLES = {
  category: {
    create: { name: 'Film nights', description: 'Films of all kinds' },
    change: { description: 'Films of all kinds, indoors and outdoors' },
  },
  tag: { create: { name: 'free entry' }, change: { description: 'Donations are welcome' } },
} as const satisfies { readonly [kind: string]: Examples };

export const USER_EXAMPLES = {
  create: { login: 'ann', role: 'author', name: 'Ann Miller', email: 'ann@music.example', label: 'laptop' },
  change: { name: 'Ann Miller-Jones' },
  issue: { label: 'phone' },
  password: { password: 'three words in a row' },
  search: { name: 'Drafts in winter', query: 'state=draft&search=winter' },
} as const satisfies Examples & { readonly issue: Example; readonly password: Example; readonly search: Example };

export const SOURCE_EXAMPLES = {
  create: { address: 'https://theatre.example/programme.ics', name: 'Theatre', every: 30, on_missing: 'cancel' },
  change: { mode: 'propose' },
} as const satisfies Examples;

export const WEBHOOK_EXAMPLES = {
  create: { url: 'https://hooks.example/daybook', name: 'Web site', types: ['event', 'VenueRelocated'] },
  change: { field: 'start_date,end_date' },
} as const satisfies Examples;

export const POLICY_EXAMPLE: Example = { events: { author: 'review', approvals: 1, bypass: true } };
export const SETTINGS_EXAMPLE: Example = {
  site_name: 'Lantern Bay',
  currency: 'EUR',
  imprint: 'https://example.org/imprint',
};
export const REVERT_EXAMPLE: Example = { revision: 0, _reason: 'Changed by mistake' };
