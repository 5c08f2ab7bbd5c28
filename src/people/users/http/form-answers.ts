// Where forms of the desk have led, told to other processes.
import type { Taken, TakenForm } from '../../../commands/forms.ts';

export type FormAnswers = (form: TakenForm) => Promise<Taken>;
