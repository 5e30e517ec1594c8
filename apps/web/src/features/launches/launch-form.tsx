import {
  buildLaunchMessage,
  PRODUCT_NAME,
  TOKEN_NAME_BYTES,
  TOKEN_SYMBOL_LENGTH,
  tokenNameProblem,
  tokenSymbolProblem,
} from '@archive/contracts';
import { type ChangeEvent, type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { networkName } from '../../lib/network-name.ts';
import { useConfig } from '../../lib/use-config.ts';
import { InfoIcon } from '../../ui/later-icons.tsx';
import { SideNote } from '../../ui/side-note.tsx';
import { nameBytes, type TokenWords } from './launch-defaults.ts';
import styles from './launch-form.module.css';
import { TokenField } from './token-field.tsx';
import { WalletStatus } from './wallet-status.tsx';

/** Stands for an empty field in the sentence. */
const BLANK = '…';

interface LaunchFormProps {
  /** The id that links the button outside the form to it. */
  id: string;
  /** The post's `id`, which the signed sentence contains. */
  postId: string;
  words: TokenWords;
  /** The field that the server refused. */
  refused: string | undefined;
  /** Fields are read-only while the wallet asks. */
  isFixed: boolean;
  onChange: (words: TokenWords) => void;
  /** Called with valid words only. */
  onSubmit: (words: TokenWords) => void;
}

/** Name and symbol, the sentence to sign, the cost and its payer. */
export function LaunchForm({ id, postId, words, refused, isFixed, onChange, onSubmit }: LaunchFormProps) {
  const [areProblemsShown, setAreProblemsShown] = useState(false);
  const nameField = useRef<HTMLInputElement>(null);
  const symbolField = useRef<HTMLInputElement>(null);
  const helpId = useId();
  const config = useConfig();
  // Trimmed, so that the signed text equals the visible text.
  const wanted = { name: words.name.trim(), symbol: words.symbol.trim() };
  const problems = { name: nameProblem(wanted.name), symbol: symbolProblem(wanted.symbol) };
  const shown = areProblemsShown ? problems : { name: null, symbol: null };

  const isWrong = {
    name: shown.name !== null || refused === 'name',
    symbol: shown.symbol !== null || refused === 'symbol',
  };

  useEffect(() => {
    if (refused === 'name') nameField.current?.focus();
    if (refused === 'symbol') symbolField.current?.focus();
  }, [refused]);

  function submit(event: FormEvent) {
    event.preventDefault();
    if (isFixed) return;
    setAreProblemsShown(true);
    if (problems.name !== null) nameField.current?.focus();
    else if (problems.symbol !== null) symbolField.current?.focus();
    else onSubmit(wanted);
  }

  return (
    <form id={id} className={styles['form']} onSubmit={submit} noValidate aria-label="Launch Token">
      <WalletStatus />
      <div className={styles['fields']}>
        <TokenField
          label="Token name"
          help={nameHelp(words.name)}
          problem={shown.name}
          isWrong={isWrong.name}
          length={nameBytes(wanted.name)}
          limit={TOKEN_NAME_BYTES}
          ref={nameField}
          dir="auto"
          readOnly={isFixed}
          value={words.name}
          onChange={({ target }) => onChange({ ...words, name: target.value })}
        />
        <TokenField
          label="Token symbol"
          help="Letters and digits"
          problem={shown.symbol}
          isWrong={isWrong.symbol}
          length={words.symbol.length}
          limit={TOKEN_SYMBOL_LENGTH}
          ref={symbolField}
          autoCapitalize="characters"
          maxLength={TOKEN_SYMBOL_LENGTH}
          readOnly={isFixed}
          value={words.symbol}
          onChange={(event) => onChange({ ...words, symbol: upperCased(event) })}
        />
      </div>
      <div className="field">
        <p id={`${helpId}-preview`}>Your wallet will ask you to sign</p>
        <blockquote className={styles['preview']} aria-labelledby={`${helpId}-preview`}>
          <bdi>{buildLaunchMessage({ name: wanted.name || BLANK, symbol: wanted.symbol || BLANK, id: postId })}</bdi>
        </blockquote>
      </div>
      <dl className="terms">
        <div>
          <dt>You pay</dt>
          <dd>
            <b>Nothing.</b> {PRODUCT_NAME} pays the network
          </dd>
        </div>
        <div>
          <dt>You receive</dt>
          <dd>
            {config?.launchPlatform === 'pumpfun' ? 'The creator’s fees on pump.fun, no tokens' : 'The whole supply'}
          </dd>
        </div>
        <div>
          <dt>Network</dt>
          <dd>{networkName(config?.network ?? '')}</dd>
        </div>
      </dl>
      <SideNote icon={<InfoIcon />}>One post, one token. Once launched, this post cannot be used again.</SideNote>
    </form>
  );
}

function nameProblem(name: string): string | null {
  if (nameBytes(name) > TOKEN_NAME_BYTES) return 'Token name is too long';
  return problem('Token name', tokenNameProblem(name));
}

function symbolProblem(symbol: string): string | null {
  return problem('Token symbol', tokenSymbolProblem(symbol));
}

function problem(field: string, words: string | null): string | null {
  return words === null ? null : `${field} ${words}`;
}

function nameHelp(name: string): string {
  const isPlain = nameBytes(name) === name.length;
  return isPlain ? `Up to ${TOKEN_NAME_BYTES} characters` : 'Letters beyond a to z count 2 to 4';
}

/** Upper-cases the value while typing and keeps the caret's position. */
function upperCased({ target }: ChangeEvent<HTMLInputElement>): string {
  const { value, selectionStart, selectionEnd } = target;
  const upper = value.toUpperCase().slice(0, TOKEN_SYMBOL_LENGTH);
  target.value = upper;
  target.setSelectionRange(selectionStart, selectionEnd);
  return upper;
}
