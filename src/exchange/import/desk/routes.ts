// The routes of imports: choose a source, look at what it would do, carry it out, and see how far it is.
import type { FastifyReply } from 'fastify';
import type { Problem } from '../../../pages/desk/api.ts';
import type { DeskSection } from '../../../pages/desk/page.ts';
import { type DeskRequest, textOf } from '../../../pages/desk/page.ts';
import { leadTo, show } from '../../../pages/desk/show.ts';
import { mayImport } from '../../../people/auth/policy.ts';
import { importPage, MAX_COLUMNS } from './import-page.ts';
import { IMPORT, type Import, type ImportsPage, mapText } from './reading.ts';
import { startPage } from './start-page.ts';

const PER_PAGE = 10;
/** As the API takes them, with the fields of the form. */
const BODY_LIMIT = 16 * 1024 * 1024 + 65_536;
/** Seconds after which a browser asks again, with or without script. */
const REFRESH = '2';

export const importSection: DeskSection = {
  word: 'import',
  path: IMPORT,
  may: (user, { importers }) => mayImport(user, importers),
  routes(app) {
    app.get(IMPORT, async (_request, reply) => start(reply, null));
    app.post(IMPORT, { bodyLimit: BODY_LIMIT }, async ({ desk, upload }, reply) => {
      const begun = await desk.api.upload<Import>('/imports', formFor(desk, upload?.file ?? null));
      return begun.problem ? start(reply, begun.problem) : leadTo(reply, `${IMPORT}/${begun.body.id}`);
    });
    app.get<{ Params: { id: string } }>(`${IMPORT}/:id(^\\d+$)`, async ({ desk, params }, reply) => {
      const shown = await desk.api.read<Import>(`/imports/${params.id}`);
      if (shown.ended === null) reply.header('refresh', REFRESH);
      return show(reply, importPage(desk, shown));
    });
    app.post<{ Params: { id: string } }>(`${IMPORT}/:id(^\\d+$)`, async ({ desk, params }, reply) => {
      const shown = await desk.api.read<Import>(`/imports/${params.id}`);
      const begun = await desk.api.send<Import>('POST', '/imports', furtherFor(desk, shown));
      return begun.problem
        ? show(reply, importPage(desk, shown, begun.problem))
        : leadTo(reply, `${IMPORT}/${begun.body.id}`);
    });
  },
};

async function start(reply: FastifyReply, problem: Problem | null): Promise<FastifyReply> {
  const { desk } = reply.request;
  const page = Number(textOf(desk.sent, 'page')) || 1;
  const list = await desk.api.read<ImportsPage>('/imports', { page, per_page: PER_PAGE });
  return show(reply, startPage(desk, { list, page, problem }));
}

/** A dry run of what the form names: the file counts if there are both. */
function formFor({ form }: DeskRequest, file: File | null): FormData {
  const asked = new FormData();
  asked.set('dry_run', 'true');
  const url = textOf(form, 'url').trim();
  if (file) asked.set('file', file, file.name);
  else if (url !== '') asked.set('url', url);
  for (const option of ['status', 'timezone']) {
    const value = textOf(form, option).trim();
    if (value !== '') asked.set(option, value);
  }
  return asked;
}

/** The import after its dry run, as it was looked at; or another dry run with other columns and options. */
function furtherFor({ form }: DeskRequest, shown: Import): object {
  const isImport = textOf(form, 'do') === 'import';
  const { columns = [] } = shown;
  const chosen = isImport ? columns : chosenIn(form, columns);
  const isSame = mapText(chosen) === mapText(columns);
  // What was guessed is guessed again.
  const map = isSame ? (shown.map ?? '') : mapText(chosen);
  const status = isImport ? (shown.status ?? '') : textOf(form, 'status');
  const timezone = isImport ? (shown.timezone ?? '') : textOf(form, 'timezone').trim();
  return {
    from: shown.id,
    dry_run: !isImport,
    ...(map !== '' && { map }),
    ...(status !== '' && { status }),
    ...(timezone !== '' && { timezone }),
  };
}

const chosenIn = (form: DeskRequest['form'], columns: NonNullable<Import['columns']>): NonNullable<Import['columns']> =>
  columns.map((column, at) =>
    at < MAX_COLUMNS ? { name: column.name, field: textOf(form, `column-${at}`) || null } : column,
  );
