// The routes of uploaded pictures.
import type { FastifyReply } from 'fastify';
import { ID } from '../../../http/plugins/routing.ts';
import type { Problem } from '../../../pages/desk/api.ts';
import type { DeskSection } from '../../../pages/desk/page.ts';
import { type DeskRequest, textOf } from '../../../pages/desk/page.ts';
import { leadTo, show } from '../../../pages/desk/show.ts';
import { mayUpload } from '../../../people/auth/policy.ts';
import { pictureListPage } from './list-page.ts';
import { picturePage } from './picture-page.ts';
import { PICTURES, type Picture, type PicturesPage } from './reading.ts';

interface ById {
  readonly Params: { readonly id: string };
}

const PER_PAGE = 24;
/** The most that the API can be set to take, with the fields of the form. */
const BODY_LIMIT = 101 * 1_048_576;

export const pictureSection: DeskSection = {
  word: 'pictures',
  path: PICTURES,
  may: mayUpload,
  routes(app) {
    app.get(PICTURES, async (_request, reply) => showList(reply, null));
    app.post(PICTURES, { bodyLimit: BODY_LIMIT }, async ({ desk, upload }, reply) => {
      const form = formWith(desk, upload?.file ?? null);
      const { body, problem } = await desk.api.upload<Picture>('/media', form, { key: textOf(desk.form, '_key') });
      return problem ? showList(reply, problem) : leadTo(reply, `${PICTURES}/${body.id}`, 'said_uploaded');
    });
    app.get<ById>(`${PICTURES}/${ID}`, async ({ params }, reply) => showPicture(reply, params.id, null));
    app.post<ById>(`${PICTURES}/${ID}`, async ({ desk, params: { id } }, reply) => {
      const texts = { title: textOf(desk.form, 'title'), alt: textOf(desk.form, 'alt') };
      const { problem } = await desk.api.send('PATCH', `/media/${id}`, texts);
      return problem ? showPicture(reply, id, problem) : leadTo(reply, `${PICTURES}/${id}`, 'said_saved');
    });
    app.post<ById>(`${PICTURES}/${ID}/remove`, async ({ desk, params: { id } }, reply) => {
      const { problem } = await desk.api.send('DELETE', `/media/${id}`);
      return problem ? showPicture(reply, id, problem) : leadTo(reply, PICTURES, 'said_picture_removed');
    });
  },
};

async function showList(reply: FastifyReply, problem: Problem | null): Promise<FastifyReply> {
  const { desk } = reply.request;
  const page = Number(textOf(desk.sent, 'page')) || 1;
  const search = textOf(desk.sent, 'search').trim();
  const list = await desk.api.read<PicturesPage>('/media', {
    ...{ page, per_page: PER_PAGE },
    ...(search !== '' && { search }),
  });
  return show(reply, pictureListPage(desk, { list, page, search, problem }));
}

async function showPicture(reply: FastifyReply, id: string, problem: Problem | null): Promise<FastifyReply> {
  const { desk } = reply.request;
  return show(reply, picturePage(desk, await desk.api.read<Picture>(`/media/${id}`), problem));
}

function formWith({ form }: DeskRequest, file: File | null): FormData {
  const sent = new FormData();
  sent.set('alt', textOf(form, 'alt'));
  if (file) sent.set('file', file, file.name);
  return sent;
}
