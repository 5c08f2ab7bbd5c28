// The signed audit trail of a span of time, as a file of the browser.
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { forbidden } from '../../../http/errors.ts';
import { resolveRange } from '../../../kernel/time/time-range.ts';
import { ApiProblem, problemOf } from '../../../pages/desk/api.ts';
import { type Installation, type Lines, textOf } from '../../../pages/desk/page.ts';
import { mayManageUsers } from '../../../people/auth/policy.ts';
import { AUDIT } from './list-page.ts';

/** For administrators: the trail has the histories of users. */
export function auditExportRoute(app: FastifyInstance, { auditTrail }: Installation): void {
  app.get(`${AUDIT}/export`, async ({ desk }, reply) => {
    const { user, sent, now, siteZone: zone, words } = desk;
    if (!mayManageUsers(user)) throw forbidden(user);
    const [from, to] = ['from', 'to'].map((name) => textOf(sent, name));
    const range = resolveRange({ ...(from && { from }), ...(to && { to }) }, { now, zone });
    if (typeof range === 'string') throw new ApiProblem(problemOf(words('choose_state')));
    const out = new PassThrough();
    auditTrail(range, linesOf(out)).then(
      () => out.end(),
      (error: unknown) => out.destroy(error instanceof Error ? error : new Error(String(error))),
    );
    const name = ['audit', from, to].filter(Boolean).join('-');
    return reply
      .type('application/octet-stream')
      .header('content-disposition', `attachment; filename="${name.replace(/[^\w-]/g, '')}.jsonl"`)
      .send(out);
  });
}

/** Rejects once the browser has gone. */
const linesOf = (out: PassThrough): Lines => ({
  async write(line) {
    if (out.destroyed) throw new Error('the reader has gone');
    if (!out.write(`${line}\n`)) await Promise.race([once(out, 'drain'), once(out, 'close')]);
  },
});
