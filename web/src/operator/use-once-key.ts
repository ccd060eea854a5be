import { useRef } from 'react';
import { newKey } from '../api/index.js';

/** A key per thing meant: the same while the same is sent again, another one as soon as it says something else. */
export function useOnceKey(): (body: unknown) => string {
  const kept = useRef({ said: '', key: '' });
  return (body) => {
    const said = JSON.stringify(body);
    if (said !== kept.current.said) kept.current = { said, key: newKey() };
    return kept.current.key;
  };
}
