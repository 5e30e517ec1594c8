import { NOTICE_KINDS, type NoticeKind, type NoticeSettings, PRODUCT_NAME } from '@archive/contracts';
import { useEffect, useRef, useState } from 'react';
import { useSWRConfig } from 'swr';
import { callApi } from '../../lib/api.ts';
import { useConfig } from '../../lib/use-config.ts';
import { Switch } from '../../ui/switch.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { withToken } from '../../wallet/session.ts';
import { sessionKey, useSessionAnswer } from '../../wallet/session-answer.ts';
import styles from './notice-switches.module.css';
import { canPush, startPush, stopPush, thisBrowser } from './push-browser.ts';

const GROUPS: readonly { kinds: readonly NoticeKind[]; label: string }[] = [
  { kinds: ['search'], label: 'New posts in saved searches' },
  { kinds: ['save'], label: 'A save is done' },
  { kinds: ['featured', 'credit', 'token'], label: 'Featured, credit, token confirmed' },
];

/** Switches for the kinds of notices, and for push notifications. */
export function NoticeSwitches() {
  const { data } = useSessionAnswer('noticeSettings');
  const { mutate } = useSWRConfig();
  const pushKey = useConfig()?.pushKey ?? null;
  const page = data?.page ?? NOTICE_KINDS;

  const last = useRef<Promise<void>>(Promise.resolve());

  /** The call sends all kinds, so it waits for the previous call and starts from its result. */
  function choose(kinds: readonly NoticeKind[], isWanted: boolean): Promise<void> {
    last.current = last.current.then(() => save(kinds, isWanted));
    return last.current;
  }

  async function save(kinds: readonly NoticeKind[], isWanted: boolean) {
    const isSaved = await withToken(async (token) => {
      const change = (known: NoticeSettings | undefined) => {
        const before = known?.page ?? NOTICE_KINDS;
        const wanted = NOTICE_KINDS.filter((kind) => (kinds.includes(kind) ? isWanted : before.includes(kind)));
        return callApi('changeNoticeSettings', { token, body: { page: wanted, push: wanted } });
      };
      await mutate<NoticeSettings>(sessionKey('noticeSettings', token), change, { revalidate: false });
    });
    if (!isSaved) showToast('error', 'Your choice could not be saved. Please try again.');
  }

  return (
    <fieldset className={styles['switches']}>
      <legend className="visually-hidden">Notices you want</legend>
      {GROUPS.map(({ kinds, label }) => (
        <Switch
          key={label}
          className={styles['row']}
          isOn={kinds.every((kind) => page.includes(kind))}
          isDisabled={data === undefined}
          onTurn={(next) => choose(kinds, next)}
        >
          {label}
        </Switch>
      ))}
      {pushKey !== null && canPush() && <PushSwitch pushKey={pushKey} browsers={data?.browsers} />}
    </fieldset>
  );
}

interface PushProps {
  pushKey: string;
  browsers: readonly string[] | undefined;
}

function PushSwitch({ pushKey, browsers }: PushProps) {
  const { mutate } = useSWRConfig();
  const [own, setOwn] = useState<string | null>(null);
  const isBlocked = Notification.permission === 'denied';

  // biome-ignore lint/correctness/useExhaustiveDependencies: what the server holds changes as the browser does.
  useEffect(() => {
    thisBrowser().then(setOwn, () => {});
  }, [browsers]);

  async function turn(next: boolean) {
    let isWanted = true;
    const isDone = await withToken(async (token) => {
      if (next) isWanted = await startPush(token, pushKey);
      else await stopPush(token);
      setOwn(await thisBrowser());
      await mutate(sessionKey('noticeSettings', token));
    });
    if (!isDone) showToast('error', 'This browser cannot be reached while the page is closed.');
    else if (!isWanted) showToast('missing', 'This browser was told to show no notices.');
  }

  return (
    <Switch
      className={styles['row']}
      isOn={own !== null && (browsers?.includes(own) ?? false)}
      isDisabled={browsers === undefined || isBlocked}
      onTurn={turn}
    >
      <span className={styles['words']}>
        Also while {PRODUCT_NAME} is closed
        <small>{isBlocked ? 'Blocked in this browser’s settings.' : 'This browser will ask you once.'}</small>
      </span>
    </Switch>
  );
}
