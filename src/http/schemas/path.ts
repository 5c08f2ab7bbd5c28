// The variables of paths. The router admits nothing but digits for numbers, so there is nothing to refuse.
import type { DescriptionKey } from '../../locales/language.ts';
import Type from './type.ts';

const number = (description: DescriptionKey) => Type.Integer({ minimum: 0, description });

export const byId = Type.Object({ id: number('shown.id') });
export const byCredential = Type.Object({ ...byId.properties, credential: number('credential.path_id') });
export const byDelivery = Type.Object({
  ...byId.properties,
  event: Type.String({ description: 'delivery.event' satisfies DescriptionKey }),
});
export const bySlug = Type.Object({ slug: Type.String({ description: 'shown.slug' satisfies DescriptionKey }) });
