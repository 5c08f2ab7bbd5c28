// The documentation of the index and of the document itself.
import Type from 'typebox';
import { bodyOf, type Documentation, documented } from './documentation.ts';
import { reading } from './reads.ts';
import { FOR_ALL } from './rights.ts';

export const INDEX_DOCUMENTATION: Documentation = documented(
  { group: 'API', summary: 'index.summary', right: FOR_ALL, errors: ['rest_invalid_namespace'] },
  { 200: { description: 'answer.read', ...bodyOf(Type.Ref('Index')), carries: [] } },
);

export const DOC_DOCUMENTATION: Documentation = reading({
  group: 'API',
  summary: 'document.summary',
  answer: Type.Ref('OpenApi'),
});
