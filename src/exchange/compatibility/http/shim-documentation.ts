// The documentation of the shims: routes of another interface, over those of the API.
import { termExamples } from '../../../calendar/term/http/term-schema.ts';
import {
  bodyOf,
  type Described,
  type Documentation,
  documented,
  FOR_ALL,
  type Right,
  SHOWN,
  toManage,
} from '../../../http/openapi/documentation.ts';
import type { AnswerHeader } from '../../../http/openapi/shared.ts';
import Type, { type TSchema } from '../../../http/schemas/type.ts';
import type { DescriptionKey } from '../../../locales/language.ts';
import { mayChangePicture, mayUpload } from '../../../people/auth/policy.ts';
import { removedPicture, removedTag } from './shim-answers-schema.ts';

interface ShimRoute extends Omit<Described, 'description'> {
  readonly answer: TSchema;
}

const description = 'shim.about';
const TOTALS: readonly AnswerHeader[] = ['TotalTwin', 'TotalPagesTwin'];
const WRITTEN: readonly AnswerHeader[] = ['Position', 'Views', 'Lag'];

const reading = (
  { answer, ...rest }: ShimRoute,
  says: DescriptionKey = 'answer.read',
  carries: readonly AnswerHeader[] = SHOWN,
): Documentation =>
  documented(
    { ...rest, description, takes: ['AtLeast', ...(rest.takes ?? [])] },
    { 200: { description: says, ...bodyOf(answer), carries } },
  );

const listing = (list: ShimRoute): Documentation => reading(list, 'answer.list', [...TOTALS, ...SHOWN]);

interface Write extends ShimRoute {
  readonly status: 200 | 201;
  readonly says: DescriptionKey;
  /** Whether the rules of review may make a proposal of it. */
  readonly reviews: 'never' | 'by the rules';
}

function writing({ answer, status, says, reviews, ...rest }: Write): Documentation {
  const isReviewed = reviews === 'by the rules';
  const carries: readonly AnswerHeader[] = [...WRITTEN, ...(status === 201 ? (['Location'] as const) : [])];
  return documented(
    {
      ...rest,
      description,
      errors: [
        ...(['rest_forbidden', 'rest_precondition_failed'] as const),
        ...(isReviewed ? (['rest_review_required', 'rest_bypass_refused'] as const) : []),
        ...(rest.errors ?? []),
      ],
      takes: ['ChangeReason', 'IdempotencyKey', 'IfMatch', ...(isReviewed ? (['BypassReview'] as const) : [])],
    },
    {
      [status]: { description: says, ...bodyOf(answer), carries },
      ...(isReviewed && {
        202: {
          description: 'answer.proposed',
          ...bodyOf(Type.Ref('Proposal')),
          carries: ['Position', 'Views', 'Location'],
        },
      }),
    },
  );
}

const signedIn: Right = { of: 'endpoint', may: (caller) => caller !== null };
const uploader: Right = { of: 'endpoint', may: mayUpload };
const onOwnPictures: Right = { of: 'posts', may: mayChangePicture };
const tag = { group: 'Tags', answer: Type.Ref('ShimTag') } as const;
const picture = { group: 'Pictures', answer: Type.Ref('ShimPicture') } as const;

const tagWrite = { ...tag, right: toManage('tag'), reviews: 'by the rules' } as const;
const pictureWrite = { ...picture, reviews: 'never' } as const;

export const SHIM_DOCUMENTATION = {
  me: reading({
    group: 'Users',
    right: signedIn,
    summary: 'user.read_own',
    takes: ['EditContext'],
    answer: Type.Ref('ShimUser'),
    errors: ['rest_not_logged_in'],
  }),
  tags: listing({
    ...tag,
    right: FOR_ALL,
    summary: 'tag_list.summary',
    answer: Type.Array(Type.Ref('ShimTag'), { description: 'tag_list.answer' satisfies DescriptionKey }),
  }),
  createTag: writing({
    ...tagWrite,
    status: 201,
    says: 'answer.created',
    summary: 'tag.create',
    errors: ['rest_missing_callback_param', 'term_exists', 'duplicate_term_slug', 'rest_taxonomy_not_hierarchical'],
    example: termExamples.tag.create,
  }),
  readTag: reading({ ...tag, right: FOR_ALL, summary: 'tag.read', errors: ['rest_term_invalid'] }),
  changeTag: writing({
    ...tagWrite,
    status: 200,
    says: 'answer.changed',
    summary: 'tag.update',
    errors: ['rest_term_invalid', 'term_exists', 'duplicate_term_slug', 'rest_taxonomy_not_hierarchical'],
    example: termExamples.tag.change,
  }),
  deleteTag: writing({
    ...tagWrite,
    status: 200,
    says: 'answer.deleted',
    summary: 'tag.delete',
    answer: removedTag,
    errors: ['rest_term_invalid', 'rest_trash_not_supported'],
  }),
  pictures: listing({
    ...picture,
    right: uploader,
    summary: 'picture.list',
    answer: Type.Array(Type.Ref('ShimPicture'), { description: 'picture.page' satisfies DescriptionKey }),
    errors: ['rest_forbidden', 'rest_post_invalid_page_number'],
  }),
  upload: writing({
    ...pictureWrite,
    right: uploader,
    status: 201,
    says: 'answer.created',
    summary: 'picture.upload',
    file: 'picture.file',
    example: { alt_text: 'Singers on a bridge at night' },
    errors: [
      ...(['rest_upload_missing', 'rest_upload_not_a_picture', 'rest_upload_too_large'] as const),
      'rest_pictures_unavailable',
    ],
  }),
  readPicture: reading({
    ...picture,
    right: uploader,
    summary: 'picture.read',
    errors: ['rest_forbidden', 'rest_post_invalid_id'],
  }),
  describe: writing({
    ...pictureWrite,
    right: onOwnPictures,
    status: 200,
    says: 'answer.changed',
    summary: 'picture.describe',
    errors: ['rest_post_invalid_id'],
    example: { alt_text: 'Singers on a bridge at night' },
  }),
  removePicture: writing({
    ...pictureWrite,
    right: onOwnPictures,
    status: 200,
    says: 'answer.deleted',
    summary: 'picture.remove',
    answer: removedPicture,
    errors: ['rest_post_invalid_id', 'rest_trash_not_supported', 'rest_picture_in_use', 'rest_pictures_unavailable'],
  }),
} as const;
