// What the shims take: parameters under the names of other software. Most values are checked by the API that they are
// passed on to.
import { search } from '../../../http/schemas/lists.ts';
import { anyId, anything, flag, integer, optional, text } from '../../../http/schemas/primitives.ts';
import Type from '../../../http/schemas/type.ts';

/** The number of items on a page. */
export const SHIM_PAGE = { most: 100, standard: 10 } as const;

const paging = optional({
  page: integer('list.page', 'positiveInt', { default: 1 }),
  per_page: integer('list.per_page', ['countUpTo', SHIM_PAGE.most], { default: SHIM_PAGE.standard }),
});

const force = optional({ force: flag('shim.force') });

const tagFields = optional({ description: anything('term.description'), slug: anything('term.slug') });
const tagId = anyId('tag');

export const shimTagTables = {
  list: Type.Object({
    ...paging,
    ...optional({
      search: anything('term_list.search'),
      exclude: anything('term_list.exclude'),
      include: anything('term_list.include'),
      order: anything('term_list.order'),
      orderby: anything('term_list.orderby'),
      hide_empty: flag('term_list.hide_empty', { default: false }),
      post: anything('term_list.post'),
      slug: anything('term_list.slug'),
    }),
  }),
  create: Type.Object({ ...optional({ name: anything('term.name') }), ...tagFields }),
  read: Type.Object({ id: tagId }),
  update: Type.Object({ id: tagId, ...optional({ name: anything('term.name') }), ...tagFields }),
  remove: Type.Object({ id: tagId, ...force }),
};

const pictureTexts = optional({ title: anything('picture.title'), alt_text: text('picture.alt', 'stringOrEmpty') });
const pictureId = anyId('picture');

export const shimMediaTables = {
  list: Type.Object({
    ...paging,
    ...optional({
      search: search('picture.search'),
      author: integer('picture.author', 'positiveInt'),
      slug: anything('term_list.slug'),
    }),
  }),
  create: Type.Object({ ...pictureTexts }),
  read: Type.Object({ id: pictureId }),
  update: Type.Object({ id: pictureId, ...pictureTexts }),
  remove: Type.Object({ id: pictureId, ...force }),
};
