// Where forms of the desk have led, told to other processes.
import { type FormDependencies, type Taken, type TakenForm, takeForm } from '../../../commands/forms.ts';

export interface FormAnswers {
  take(form: TakenForm): Promise<Taken>;
}

export const openFormAnswers = (dependencies: FormDependencies): FormAnswers => ({
  take: (form) => takeForm(dependencies, form),
});
