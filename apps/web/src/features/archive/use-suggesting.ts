import { type KeyboardEvent, useRef, useState } from 'react';

/** What is suggested: the words of the box where it is taken. */
export interface Suggestion {
  words: string;
}

export interface Suggesting {
  isOpen: boolean;
  active: number;
  /** Told by what draws them. */
  offer(suggestions: readonly Suggestion[]): void;
  /** `goesOn`: more is typed after it. */
  choose(suggestion: Suggestion, goesOn?: boolean): void;
  point(index: number): void;
  type(): void;
  close(): void;
  /** Whether a key was meant for them. */
  take(event: KeyboardEvent): boolean;
  /** Attributes of the field. */
  field: object;
}

const LIST_ID = 'suggestions';

/** Keys of a list of suggestions below the search box; the list itself comes when somebody types. */
export function useSuggesting(text: string, onTake: (words: string, goesOn: boolean) => void): Suggesting {
  const [isOpen, setIsOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const [count, setCount] = useState(0);
  const offered = useRef<readonly Suggestion[]>([]);

  function close() {
    setIsOpen(false);
    setActive(-1);
    setCount(0);
    offered.current = [];
  }

  function choose({ words }: Suggestion, goesOn = false) {
    close();
    onTake(words, goesOn);
  }

  function take(event: KeyboardEvent): boolean {
    const { key } = event;
    if (!isOpen) {
      if (key !== 'ArrowDown') return false;
      setIsOpen(true);
    } else if (key === 'Escape') close();
    else if (key === 'ArrowDown' || key === 'ArrowUp') {
      if (count === 0) return false;
      const step = key === 'ArrowDown' ? 1 : -1;
      setActive((at) => (at < 0 && step < 0 ? count - 1 : (at + step + count) % count));
    } else if (key === 'Tab' || key === 'Enter') {
      const suggestion = offered.current[key === 'Tab' && !event.shiftKey ? Math.max(0, active) : active];
      if (key === 'Enter' || !suggestion || text === '') close();
      if (!suggestion) return false;
      choose(suggestion, key === 'Tab');
    } else return false;
    event.preventDefault();
    return true;
  }

  return {
    isOpen,
    active,
    offer(suggestions) {
      offered.current = suggestions;
      setCount(suggestions.length);
      setActive((at) => Math.min(at, suggestions.length - 1));
    },
    choose,
    point: setActive,
    type: () => setIsOpen(true),
    close,
    take,
    // A search field first of all, which may say all of this but that something is unfolded.
    field: {
      'aria-autocomplete': 'list',
      ...(isOpen && count > 0 && { 'aria-controls': LIST_ID }),
      ...(active >= 0 && { 'aria-activedescendant': `${LIST_ID}-${active}` }),
    },
  };
}
