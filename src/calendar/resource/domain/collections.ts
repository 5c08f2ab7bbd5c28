/** What collections are called on the wire, by the kinds of their resources. */
export const COLLECTIONS = {
  event: 'events',
  venue: 'venues',
  organizer: 'organizers',
  category: 'categories',
  tag: 'tags',
} as const;
