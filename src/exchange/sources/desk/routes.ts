// The routes of sources. Who may manage them is decided by the API.
import type { FastifyInstance, FastifyReply } from 'fastify';
import { ID } from '../../../http/plugins/routing.ts';
import { ApiProblem, type Problem } from '../../../pages/desk/api.ts';
import type { DeskSection } from '../../../pages/desk/page.ts';
import { textOf } from '../../../pages/desk/page.ts';
import { leadTo, show } from '../../../pages/desk/show.ts';
import { mayImport } from '../../../people/auth/policy.ts';
import { membersIn } from './fields.ts';
import { sourceListPage } from './list-page.ts';
import { SOURCES, type Source, type SourcePoll } from './reading.ts';
import { sourcePage } from './source-page.ts';

interface ById {
  readonly Params: { readonly id: string };
}

/** What is shown on the page of a source only now. */
interface Now {
  readonly dry?: SourcePoll;
  readonly problem?: Problem | null;
}

export const sourceSection: DeskSection = {
  word: 'sources',
  path: SOURCES,
  may: (user, { importers }) => mayImport(user, importers),
  routes(app) {
    app.get(SOURCES, (_request, reply) => showList(reply, null));
    app.post(SOURCES, async ({ desk }, reply) => {
      const key = textOf(desk.form, '_key');
      const { body, problem } = await desk.api.send<Source>('POST', '/sources', membersIn(desk), { key });
      return problem ? showList(reply, problem) : leadTo(reply, `${SOURCES}/${body.id}`, 'said_source_added');
    });
    app.get<ById>(`${SOURCES}/${ID}`, ({ params }, reply) => showOne(reply, params.id, {}));
    writes(app);
  },
};

async function showList(reply: FastifyReply, problem: Problem | null): Promise<FastifyReply> {
  const { desk } = reply.request;
  const { sources } = await desk.api.read<{ readonly sources: readonly Source[] }>('/sources');
  return show(reply, sourceListPage(desk, { sources, problem }));
}

async function showOne(reply: FastifyReply, id: string, { dry, problem }: Now): Promise<FastifyReply> {
  const { desk } = reply.request;
  const read = await desk.api.ask<Source>(`/sources/${id}`);
  if (read.problem) throw new ApiProblem(read.problem);
  const { polls } = await desk.api.read<{ readonly polls: readonly SourcePoll[] }>(`/sources/${id}/polls`);
  return show(reply, sourcePage(desk, { source: read.body, polls, dry: dry ?? null, problem: problem ?? null }));
}

function writes(app: FastifyInstance): void {
  app.post<ById>(`${SOURCES}/${ID}`, async ({ desk, params: { id } }, reply) => {
    const { problem } = await desk.api.send('PATCH', `/sources/${id}`, membersIn(desk));
    return problem ? showOne(reply, id, { problem }) : leadTo(reply, `${SOURCES}/${id}`, 'said_saved');
  });

  app.post<ById>(`${SOURCES}/${ID}/polls`, async ({ desk, params: { id } }, reply) => {
    const accept = textOf(desk.form, 'accept') === '1';
    const { problem } = await desk.api.send('POST', `/sources/${id}/polls`, { accept });
    return problem ? showOne(reply, id, { problem }) : leadTo(reply, `${SOURCES}/${id}`, 'said_source_polled');
  });

  app.post<ById>(`${SOURCES}/${ID}/dry-run`, async ({ desk, params: { id } }, reply) => {
    const { body, problem } = await desk.api.send<SourcePoll>('POST', `/sources/${id}/polls`, { dry_run: true });
    return showOne(reply, id, problem ? { problem } : { dry: body });
  });

  // Answers with the page itself, so its address may be asked for again.
  app.get<ById>(`${SOURCES}/${ID}/dry-run`, async ({ params: { id } }, reply) => leadTo(reply, `${SOURCES}/${id}`));

  for (const [step, said] of [
    ['pause', 'said_source_paused'],
    ['resume', 'said_source_resumed'],
  ] as const)
    app.post<ById>(`${SOURCES}/${ID}/${step}`, async ({ desk, params: { id } }, reply) => {
      const { problem } = await desk.api.send('POST', `/sources/${id}/${step}`);
      return problem ? showOne(reply, id, { problem }) : leadTo(reply, `${SOURCES}/${id}`, said);
    });

  app.post<ById>(`${SOURCES}/${ID}/remove`, async ({ desk, params: { id } }, reply) => {
    const { problem } = await desk.api.send('DELETE', `/sources/${id}`);
    return problem ? showOne(reply, id, { problem }) : leadTo(reply, SOURCES, 'said_source_removed');
  });
}
