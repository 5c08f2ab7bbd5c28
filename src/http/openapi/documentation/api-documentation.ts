// The documentation of the index and of the document itself.
import Type from 'typebox';
import { type Documentation, FOR_ALL, JSON_TYPE } from './documentation.ts';
import { reading } from './reads.ts';

export const INDEX_DOCUMENTATION: Documentation = {
  group: 'API',
  summary: 'index.summary',
  right: FOR_ALL,
  answers: [{ status: 200, description: 'answer.read', bodies: { [JSON_TYPE]: Type.Ref('Index') }, headers: [] }],
  errors: ['rest_invalid_namespace'],
  takes: [],
};

export const DOC_DOCUMENTATION: Documentation = reading({
  group: 'API',
  summary: 'document.summary',
  answer: Type.Ref('OpenApi'),
});
