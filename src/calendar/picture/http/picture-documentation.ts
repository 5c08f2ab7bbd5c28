// The documentation of the routes of uploaded pictures.
import Type from 'typebox';
import { listing, reading } from '../../../http/openapi/documentation/reads.ts';
import type { Right } from '../../../http/openapi/documentation/rights.ts';
import { changing, creating, deleting } from '../../../http/openapi/documentation/writes.ts';
import { page } from '../../../http/schemas/lists.ts';
import { mayChangePicture, mayUpload } from '../../../people/auth/policy.ts';

const group = 'Pictures';
const right: Right = { of: 'endpoint', may: mayUpload };
const onOwn: Right = { of: 'posts', may: mayChangePicture };
const answer = Type.Ref('Picture');

export const PICTURE_DOCUMENTATION = {
  list: listing({
    ...{ group, right },
    summary: 'picture.list',
    answer: page('media', 'picture.page', answer),
    errors: ['rest_forbidden', 'rest_picture_page_not_found'],
  }),
  read: reading({
    ...{ group, right },
    summary: 'picture.read',
    answer,
    errors: ['rest_forbidden', 'rest_picture_not_found'],
  }),
  upload: creating({
    ...{ group, right },
    summary: 'picture.upload',
    description: 'picture.upload_form',
    file: 'picture.file',
    example: { alt: 'Singers on a bridge at night' },
    answer,
    errors: [
      ...(['rest_upload_missing', 'rest_upload_not_a_picture', 'rest_upload_too_large'] as const),
      'rest_pictures_unavailable',
    ],
  }),
  describe: changing({
    ...{ group, right: onOwn },
    summary: 'picture.describe',
    answer,
    errors: ['rest_picture_not_found'],
    example: { alt: 'Singers on a bridge at night' },
  }),
  remove: deleting({
    ...{ group, right: onOwn },
    summary: 'picture.remove',
    answer,
    errors: ['rest_picture_not_found', 'rest_picture_in_use', 'rest_pictures_unavailable'],
  }),
} as const;
