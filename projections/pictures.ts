// The projection of uploaded pictures: listed all together or by who uploaded them.
import type { Image } from '../src/domain/image.ts';
import { evolvePicture, type Picture, type PictureFact, pictureIn, stemOf } from '../src/domain/picture.ts';
import { factOf, instantOf } from '../src/event-store/envelope.ts';
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
