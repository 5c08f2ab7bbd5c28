// The documentation of `POST /reverts`.
import Type from 'typebox';
import { bodyOf, documented } from '../../../http/openapi/documentation/documentation.ts';
import { mayRevertRequests } from '../../../people/auth/policy.ts';

export const requestRevertDocumentation = documented(
  {
    group: 'Changes',
    summary: 'request_revert.summary',
    description: 'request_revert.description',
    right: { of: 'endpoint', may: mayRevertRequests },
    errors: ['rest_forbidden', 'rest_precondition_failed', 'rest_request_not_found'],
    takes: ['ChangeReason', 'IdempotencyKey'],
    example: { request: '907f997a-722e-4f00-b782-ecaca8384068', dry_run: true },
  },
  { 200: { description: 'request_reverted', ...bodyOf(Type.Ref('RequestReverted')), carries: ['Position', 'Views'] } },
);
