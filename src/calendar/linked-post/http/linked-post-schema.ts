// Venues and organizers on the wire: parameters and answers of their routes.
import { oldState } from '../../../editorial/time-travel/http/as-of-schema.ts';
import { linkedPostList } from '../../../http/schemas/lists.ts';
import * as member from '../../../http/schemas/members.ts';
import {
  anyId,
  authorship,
  contactField,
  decimal,
  description,
  existingId,
  optional,
  optionalImage,
  text,
  website,
  wordFlag,
} from '../../../http/schemas/primitives.ts';
import Type, { type TProperties, type TUnsafe } from '../../../http/schemas/type.ts';
import { authorshipMembers, globalIdMembers, parkedMember, shownOrHidden } from '../../resource/http/post-schema.ts';

/** The parameters of the routes of one kind; the member for its name is the kind. */
function parameters<Kind extends 'venue' | 'organizer', Fields extends TProperties>(
  kind: Kind,
  name: TUnsafe<string>,
  ownFields: Fields,
) {
  const id = existingId(kind, ['postId', kind]);
  const slug = text(`${kind}.path_slug`, ['postSlug', kind]);
  // The only name, under its own key.
  const named = { [kind]: name } as { readonly [Name in Kind]: TUnsafe<string> };
  const fields = optional({ ...authorship, ...ownFields });
  return {
    list: linkedPostList(kind),
    create: Type.Object({ ...named, ...fields }),
    update: Type.Object({ id, ...optional(named), ...fields }),
    /** A `slug` sent besides the one in the path is the new one. */
    updateBySlug: Type.Object({ slug, ...optional(named), ...fields }),
    /** The handler decides whether it exists: the log may have what the read model lacks. */
    read: Type.Object({ id: anyId(kind), ...oldState }),
    readBySlug: Type.Object({ slug, ...oldState }),
    delete: Type.Object({ id }),
    deleteBySlug: Type.Object({ slug }),
  };
}

export type LinkedPostTables = typeof venueTables | typeof organizerTables;

const coordinate = { format: 'double', alsoTakes: ['null'] } as const;

export const venueTables = parameters('venue', text('venue.venue', 'filledText'), {
  description: description('venue'),
  image: optionalImage,
  address: contactField('venue.address'),
  city: contactField('venue.city'),
  country: contactField('venue.country'),
  province: contactField('venue.province'),
  state: contactField('venue.state'),
  zip: contactField('venue.zip'),
  phone: contactField('post.phone'),
  stateprovince: contactField('venue.stateprovince'),
  website: website('venue'),
  show_map: wordFlag('post.show_map'),
  show_map_link: wordFlag('post.show_map_link'),
  geo_lat: decimal<number | null>('venue.geo_lat', ['coordinate', 90, 'geo_lng'], coordinate),
  geo_lng: decimal<number | null>('venue.geo_lng', ['coordinate', 180, 'geo_lat'], coordinate),
});

export const organizerTables = parameters('organizer', text('organizer.organizer', 'filledText', { default: null }), {
  description: description('organizer'),
  phone: contactField('post.phone'),
  website: website('organizer'),
  email: contactField('organizer.email'),
  image: optionalImage,
});

export const linkedPostExamples = {
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
} as const;

/** The first members of both answers; those without a value are left out. */
const beginning = <Kind extends 'venue' | 'organizer'>(kind: Kind) => ({
  id: member.integer('shown.id'),
  ...authorshipMembers,
  url: member.address('shown.url'),
  ...member.alike([kind], member.text('shown.name')),
  ...optional({ merged_into: member.integer('shown.merged_into') }),
  ...optional({
    description: member.text('shown.description'),
    slug: member.text('shown.slug'),
    image: shownOrHidden('shown.image', Type.Ref('Image')),
  }),
});

export const venue = member.object('shown_venue', {
  ...beginning('venue'),
  ...optional({
    address: member.text('venue.address'),
    city: member.text('venue.city'),
    country: member.text('venue.country'),
    province: member.text('venue.province'),
    state: member.text('venue.state'),
    zip: member.text('venue.zip'),
    phone: member.text('post.phone'),
    website: member.text('shown.website'),
    stateprovince: member.text('shown_venue.stateprovince'),
    geo_lat: member.decimal('shown_venue.geo_lat'),
    geo_lng: member.decimal('shown_venue.geo_lng'),
    json_ld: member.component('VenueJsonLd', 'shown.json_ld'),
  }),
  show_map: member.orNull(member.flag('post.show_map')),
  show_map_link: member.orNull(member.flag('post.show_map_link')),
  ...globalIdMembers,
  ...parkedMember,
});

export const organizer = member.object('shown_organizer', {
  ...beginning('organizer'),
  ...optional({
    phone: member.text('post.phone'),
    website: member.text('shown.website'),
    email: member.text('organizer.email'),
    json_ld: member.component('OrganizerJsonLd', 'shown.json_ld'),
  }),
  ...globalIdMembers,
  ...parkedMember,
});
