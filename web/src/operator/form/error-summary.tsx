import { type RefObject, useEffect, useRef, useState } from 'react';
import { useOperatorText } from '../texts/index.js';

interface Fault {
  readonly id: string;
  readonly label: string;
  readonly message: string;
}

interface Props {
  readonly form: RefObject<HTMLFormElement | null>;
  /** How often the form was submitted. The summary is empty before the first attempt. */
  readonly attempts: number;
}

const textIn = (element: Element | null | undefined): string => element?.textContent.trim() ?? '';

/** The group of a field, such as a section: several fields may have the same label. */
const groupOf = (field: Element): string =>
  textIn(field.closest('fieldset')?.querySelector('legend') ?? field.closest('section')?.querySelector('h2'));

function describe(field: HTMLElement): Fault {
  const { id } = field;
  const message = textIn(document.getElementById(`${id}-error`) ?? field);
  const isField = field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement;
  const own = isField ? textIn(field.labels?.[0]) : '';
  const group = groupOf(field);
  // The label of a date begins with its number, which is also the name of its group.
  return { id, message, label: own.startsWith(group) ? own : [group, own].filter(Boolean).join(': ') };
}

/** Whatever is marked as invalid, in the order of the page. */
const readFaults = (form: HTMLFormElement): Fault[] =>
  [...form.querySelectorAll<HTMLElement>('[aria-invalid="true"], [data-fault]')].map(describe);

function goTo(id: string): void {
  const field = document.getElementById(id);
  const details = field?.closest('details');
  if (details) details.open = true;
  field?.focus();
}

/**
 * Lists everything that needs attention, each with a link to its field. The list is read from the form, so that it never
 * misses an error that is shown at a field. It gets the focus after an attempt to submit.
 */
export function ErrorSummary({ form, attempts }: Props) {
  const { form: text } = useOperatorText();
  const [faults, setFaults] = useState<readonly Fault[]>([]);
  const summary = useRef<HTMLDivElement>(null);
  const focusedAttempt = useRef(0);
  useEffect(() => {
    const element = form.current;
    if (attempts === 0 || !element) return undefined;
    const read = (): void => {
      const found = readFaults(element);
      setFaults((old) => (JSON.stringify(old) === JSON.stringify(found) ? old : found));
    };
    const observer = new MutationObserver(read);
    observer.observe(element, { subtree: true, childList: true, characterData: true, attributes: true });
    const frame = requestAnimationFrame(read);
    return () => {
      observer.disconnect();
      cancelAnimationFrame(frame);
    };
  }, [attempts, form]);
  useEffect(() => {
    if (faults.length === 0 || focusedAttempt.current === attempts) return;
    focusedAttempt.current = attempts;
    summary.current?.focus();
  }, [attempts, faults]);
  if (faults.length === 0) return undefined;
  return (
    <div ref={summary} className="notice notice-bad" role="group" aria-labelledby="op-faults" tabIndex={-1}>
      <p id="op-faults" className="notice-title">
        {text.errorCount(faults.length)}
      </p>
      <ul className="op-bullets">
        {faults.map(({ id, label, message }) => (
          <li key={id}>
            <a
              href={`#${id}`}
              onClick={(event) => {
                event.preventDefault();
                goTo(id);
              }}
            >
              {label}
            </a>
            : {message}
          </li>
        ))}
      </ul>
    </div>
  );
}
