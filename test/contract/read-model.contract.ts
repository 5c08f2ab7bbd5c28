// What every read model does, whichever database is behind it.
import { suite } from 'uvu';
import type { Check, OpenedReadModel } from './read-model-check.ts';
import { damageRules } from './read-model-damage.contract.ts';
import { checkpointRules, documentRules, handleRules } from './read-model-documents.contract.ts';
import { eventRules } from './read-model-events.contract.ts';
import { fillRules } from './read-model-fills.contract.ts';
import { eventFilterRules, eventRightsRules, searchRules } from './read-model-filters.contract.ts';
import { linkedPostRules } from './read-model-linked-posts.contract.ts';
import { proposalRules } from './read-model-proposals.contract.ts';
import { publicationRules } from './read-model-publication.contract.ts';
import { termRules } from './read-model-terms.contract.ts';
import { userRules } from './read-model-users.contract.ts';

export type OpenReadModel = () => Promise<OpenedReadModel>;

export function readModelContract(name: string, open: OpenReadModel): void {
  const contract = suite(`read model: ${name}`);
  const check: Check = (rule, run) =>
    contract(rule, async () => {
      const opened = await open();
      try {
        await run(opened.model, opened);
      } finally {
        await opened.cleanup();
      }
    });
  checkpointRules(check);
  fillRules(check);
  handleRules(check);
  documentRules(check);
  eventRules(check);
  eventFilterRules(check);
  eventRightsRules(check);
  searchRules(check);
  linkedPostRules(check);
  termRules(check);
  userRules(check);
  proposalRules(check);
  publicationRules(check);
  damageRules(check);
  contract.run();
}
