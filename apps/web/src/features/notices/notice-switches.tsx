import { NOTICE_KINDS, type NoticeKind, PRODUCT_NAME } from '@archive/contracts';
import { useEffect, useState } from 'react';
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

/** Which notices are wanted, and whether they come while the page is closed. */
export function NoticeSwitches() {
  const { data } = useSessionAnswer('noticeSettings');
  const { mutate } = useSWRConfig();
  const pushKey = useConfig()?.pushKey ?? null;
  const page = data?.page ?? NOTICE_KINDS;

  async function choose(kinds: readonly NoticeKind[], isWanted: boolean) {
    const wanted = NOTICE_KINDS.filter((kind) => (kinds.includes(kind) ? isWanted : page.includes(kind)));
    const isSaved = await withToken(async (token) => {
      const next = await callApi('changeNoticeSettings', { token, body: { page: wanted, push: wanted } });
      await mutate(sessionKey('noticeSettings', token), next, { revalidate: false });
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
