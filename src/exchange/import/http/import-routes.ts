// Imports: begin one with a file, an address, or what an earlier one read; and how far they are.
import type { FastifyRequest } from 'fastify';
import { presentPolicy } from '../../../editorial/review-rules/commands/present-policy.ts';
import { reviewedKinds } from '../../../editorial/review-rules/domain/review-policy.ts';
import { ApiError, forbidden, refusedParameter } from '../../../http/errors.ts';
import { guardedRoutes } from '../../../http/guarded-routes.ts';
import { answering, type Right } from '../../../http/openapi/documentation.ts';
import { ID } from '../../../http/plugins/routing.ts';
import { uploads } from '../../../http/plugins/uploads.ts';
import type { Routes } from '../../../http/route.ts';
import { pageMembers, totalsOf } from '../../../http/routes/pages.ts';
import type { RouteDependencies } from '../../../http/routes/writing.ts';
import { onlyPages, page } from '../../../http/schemas/lists.ts';
import { byId } from '../../../http/schemas/path.ts';
import Type, { type Static } from '../../../http/schemas/type.ts';
import { phrase } from '../../../locales/phrases.ts';
import type { Caller } from '../../../people/auth/caller.ts';
import { type ImportersAdmitted, mayImport } from '../../../people/auth/policy.ts';
import { pagingOf, windowOf } from '../../../queries/arguments.ts';
import { inlineMapping, MappingError } from '../formats/table/mapping.ts';
import { type Imports, TooManyImports } from '../jobs/imports.ts';
import type { ImportAsked, ImportSource, Job } from '../jobs/job.ts';
import { MAX_BYTES } from '../jobs/run.ts';
import { copySource, dropUpload, keepUpload } from '../jobs/uploads.ts';
import { isAddress } from '../read-source.ts';
import { shownImport, shownOutline } from './import-answers.ts';
import { importBegin, importRead } from './import-schema.ts';

// The documentation of imports.

/** Whom an installation admits of them, its settings say. */
const toImport: Right = { of: 'endpoint', may: (caller) => mayImport(caller) };
const answer = Type.Ref('Import');

const IMPORT_EXAMPLE = {
  file: 'title,start\nConcert in the park,2027-06-18 19:30',
  name: 'concerts.csv',
  dry_run: true,
  status: 'draft',
};

/** What is over by then is answered as a whole. */
const PATIENCE_MS = 1_500;

export interface ImportRouteDependencies extends Pick<RouteDependencies, 'commands'> {
  readonly imports: Imports;
  readonly importers: ImportersAdmitted;
  readonly perPage: number;
}

type Asked = Static<typeof importBegin>;

export const importRoutes: Routes<ImportRouteDependencies> = async (api, dependencies) => {
  const { imports, importers, commands, perPage } = dependencies;
  const isAdmitted = (caller: Caller): boolean => mayImport(caller, importers);
  const route = guardedRoutes(toImport, { group: 'Imports' }, isAdmitted);
  await api.register(uploads, { maxBytes: MAX_BYTES, may: isAdmitted });

  api.post(
    '/imports',
    route(
      answering(201, 'import.begun', answer, ['Location']),
      {
        summary: 'import.begin',
        description: 'import.begin_description',
        errors: [
          ...(['rest_import_not_found', 'rest_review_required'] as const),
          ...(['rest_upload_missing', 'rest_upload_too_large'] as const),
        ],
        example: IMPORT_EXAMPLE,
      },
      { body: importBegin },
    ),
    async (request, reply) => {
      const { caller } = request;
      if (caller === null) throw forbidden(caller);
      const { rules } = await presentPolicy(commands.store);
      // An import decides for itself: who has to propose cannot import.
      if (reviewedKinds(rules, caller.role).length > 0)
        throw new ApiError('rest_review_required', { text: phrase('import_needs_review') });
      const { body } = request;
      const mode = body.dry_run === true ? 'dry run' : 'import';
      const asked = { user: caller, mode, status: body.status ?? null, timezone: body.timezone || null } as const;
      const encoding = body.encoding ?? null;
      const map = mapIn(body);
      const source = await sourceOf(request, body, imports);
      const job = await imports.begin({ ...asked, encoding, map, source }).catch(async (error: unknown) => {
        await dropUpload(source);
        throw error instanceof TooManyImports
          ? new ApiError('rest_unavailable', { text: phrase('too_many_imports') })
          : error;
      });
      await imports.wait(job.id, PATIENCE_MS);
      const now = (await imports.find(job.id, caller)) ?? job;
      return reply
        .code(201)
        .header('location', `${request.links.root}/imports/${job.id}`)
        .send(shownImport(now, request));
    },
  );

  api.get(
    '/imports',
    route(
      answering(200, 'answer.list', page('imports', 'import.list_answer', answer), [
        'Total',
        'TotalPages',
        'TotalTwin',
        'TotalPagesTwin',
      ]),
      { summary: 'import.list' },
      { querystring: onlyPages({ perPage }) },
    ),
    async (request, reply) => {
      const { caller, query, links } = request;
      if (caller === null) throw forbidden(caller);
      const all = await imports.list(caller);
      const paging = pagingOf(query, perPage);
      const { offset, limit } = windowOf(paging);
      const total = all.length;
      reply.headers(totalsOf(total, paging));
      return {
        imports: all.slice(offset, offset + limit).map((job) => shownOutline(job, request)),
        ...pageMembers(`${links.root}/imports/`, query, PAGE, { paging, total }),
      };
    },
  );

  api.get(
    `/imports/${ID}`,
    route(
      answering(200, 'answer.read', answer),
      { summary: 'import.read', description: 'import.read_description', errors: ['rest_import_not_found'] },
      { params: byId, querystring: importRead },
    ),
    async (request) => shownImport(await jobOf(imports, request, request.params.id), request),
  );
};

const PAGE = ['page', 'per_page'] as const;

async function jobOf(imports: Imports, { caller }: FastifyRequest, id: number): Promise<Job> {
  const job = caller && (await imports.find(id, caller));
  if (!job) throw new ApiError('rest_import_not_found');
  return job;
}

function mapIn({ map: text }: Asked): ImportAsked['map'] {
  if (text === undefined) return null;
  try {
    return { text, mapping: inlineMapping(text) };
  } catch (error) {
    if (error instanceof MappingError) throw refusedParameter('map', phrase('not_a_mapping'));
    throw error;
  }
}

/** Throws 400 unless exactly one source is named. */
async function sourceOf(request: FastifyRequest, asked: Asked, imports: Imports): Promise<ImportSource> {
  const { url, from, name = 'upload' } = asked;
  const file = request.upload?.file ?? asked.file;
  const named = [file, url, from].filter((one) => one !== undefined);
  if (named.length !== 1) throw refusedParameter('file', phrase('one_source'));
  if (url !== undefined) return addressIn(url);
  if (from !== undefined) return againFrom(await jobOf(imports, request, from));
  if (file instanceof File) return keepUpload(file.name, new Uint8Array(await file.arrayBuffer()));
  return keepUpload(name, Buffer.from(String(file)));
}

function addressIn(text: string): ImportSource {
  const address = text.trim();
  if (!isAddress(address) || !URL.canParse(address)) throw refusedParameter('url', phrase('not_a_source_address'));
  return { kind: 'address', address };
}

/** The source of an earlier import, which may forget its file before this one is through. */
async function againFrom({ details }: Job): Promise<ImportSource> {
  const again = details && (await copySource(details.asked.source));
  if (!again) throw new ApiError('rest_import_not_found');
  return again;
}
