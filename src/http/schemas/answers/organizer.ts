// An organizer as clients see it: what has no value is left out.
import Type from 'typebox';
import { address, component, integer, object, optional, text } from './members.ts';
import { authorshipMembers, globalIdMembers, shownOrHidden } from './post.ts';

export const organizer = object(
  'An organizer. What has no value is left out; what is under a password is empty until the password is presented.',
  {
    id: integer('Id.'),
    ...authorshipMembers,
    url: address('Public page.'),
    organizer: text('Name, ready to be shown as HTML.'),
    ...optional({
      description: text('Description as HTML.'),
      slug: text('Slug.'),
      image: shownOrHidden('The picture; false when it is under a password.', Type.Ref('Image')),
      phone: text('Telephone number.'),
      website: text('Its own web site.'),
      email: text('E-mail address.'),
      json_ld: component('OrganizerJsonLd', 'Only in single reads.'),
    }),
    ...globalIdMembers,
  },
);
