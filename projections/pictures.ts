// The projection of uploaded pictures: listed all together or by who uploaded them.

import {
  evolvePicture,
  type Picture,
  type PictureFact,
  pictureIn,
  stemOf,
} from '../src/calendar/picture/domain/picture.ts';
import type { Image } from '../src/calendar/resource/domain/image.ts';
import { factOf, instantOf } from '../src/log/envelope.ts';
import { type AnyProjection, asJson, projectionOf } from './projection.ts';

export const picturesProjection = (): AnyProjection =>
  projectionOf<Picture>({
    kind: 'picture',
    prefix: 'picture-',
    fold: (state, event) => evolvePicture(state, factOf<PictureFact>(event), instantOf(event)),
    document: (picture, at) => ({
      kind: 'picture',
      id: picture.id,
      ...at,
      author: picture.author,
      removed: picture.removed,
      stem: stemOf(picture.file.name) ?? '',
      state: asJson(picture),
    }),
  });

/** By which picture a post is found. */
export function shownBy(post: { readonly image: Image | null }): { readonly picture?: number } {
  const picture = pictureIn(post);
  return picture === null ? {} : { picture };
}
