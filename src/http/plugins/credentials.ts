// Authenticates a request, once the route is known and before parameters are validated.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import type { Authenticate } from '../../people/auth/caller.ts';
import { isPreflight } from '../answers/headers.ts';
import { ApiError } from '../errors.ts';
import type { Limits } from '../limits/limits.ts';

export interface CredentialsOptions {
  readonly authenticate: Authenticate;
  readonly limits: Pick<Limits, 'credentials'>;
}

export const credentials = fp(async (api: FastifyInstance, { authenticate, limits }: CredentialsOptions) => {
  async function identify(request: FastifyRequest): Promise<void> {
    const outcome = await authenticate(request.headers.authorization, limits.credentials(request));
    if (outcome.kind === 'refused') throw new ApiError(outcome.code);
    request.caller = outcome.caller;
    request.admit?.(outcome.caller);
  }

  api.addHook('preValidation', (request, _reply, done) => {
    if (isPreflight(request)) return done();
    if (request.headers.authorization !== undefined) return void identify(request).then(() => done(), done);
    request.caller = null;
    done();
  });
});
