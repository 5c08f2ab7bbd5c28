// An organizer as clients see it: what has no value is left out.
import Type from 'typebox';
import { address, component, integer, object, optional, text } from './members.ts';
import { authorshipMembers, globalIdMembers, shownOrHidden } from './post.ts';

export const organizer = object('shown_organizer', {
  id: integer('shown.id'),
  ...authorshipMembers,
  url: address('shown.url'),
  organizer: text('shown.name'),
  ...optional({
    description: text('shown.description'),
    slug: text('shown.slug'),
    image: shownOrHidden('shown.image', Type.Ref('Image')),
    phone: text('post.phone'),
    website: text('shown.website'),
    email: text('organizer.email'),
    json_ld: component('OrganizerJsonLd', 'shown.json_ld'),
  }),
  ...globalIdMembers,
});
