import { BIO_LENGTH, DISPLAY_NAME_LENGTH, type User } from '@archive/contracts';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import buttons from '../../ui/button.module.css';
import { Panel } from '../../ui/panel.tsx';
import { Switch } from '../../ui/switch.tsx';
import { ThemeChoice } from '../../ui/theme-choice.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { savePreferences, saveProfile } from '../../wallet/session.ts';
import { codePoints, cutCodePoints } from './code-points.ts';
import styles from './dashboard.module.css';

/** `notices` holds the switches for notices. */
export function ProfileSettings({ user, notices }: { user: User; notices: ReactNode }) {
  const [displayName, setDisplayName] = useState(user.profileSettings.displayName);
  const [bio, setBio] = useState(user.profileSettings.bio);
  const [isSaving, setIsSaving] = useState(false);
  const counterId = useId();

  async function save(event: FormEvent) {
    event.preventDefault();
    if (isSaving) return;
    setIsSaving(true);
    const isSaved = await saveProfile({ displayName, bio });
    setIsSaving(false);
    if (isSaved) showToast('done', 'Profile updated successfully!');
    else showToast('error', 'Failed to update profile. Please try again.');
  }

  return (
    <Panel title="Profile Settings">
      <form className={styles['form']} aria-label="Profile Settings" onSubmit={(event) => void save(event)}>
        <label className="field">
          <span>Display name</span>
          <input
            type="text"
            dir="auto"
            autoComplete="nickname"
            value={displayName}
            onChange={({ target }) => setDisplayName(cutCodePoints(target.value, DISPLAY_NAME_LENGTH))}
          />
        </label>
        <label className="field">
          <span>Bio</span>
          <textarea
            dir="auto"
            rows={3}
            value={bio}
            aria-describedby={counterId}
            onChange={({ target }) => setBio(cutCodePoints(target.value, BIO_LENGTH))}
          />
        </label>
        <p className={styles['under']}>
          <span>Shown on your dashboard</span>
          <span id={counterId}>
            {codePoints(bio)} / {BIO_LENGTH}
          </span>
        </p>
        <div className={styles['row']}>
          <span aria-hidden="true">Theme</span>
          <ThemeChoice />
        </div>
        <Switch isOn={user.preferences.notifications} onTurn={turnNotices} className={styles['row']}>
          Notifications
        </Switch>
        {user.preferences.notifications && notices}
        <button type="submit" className={buttons['primary']} aria-disabled={isSaving}>
          Save profile
        </button>
      </form>
    </Panel>
  );
}

/** Saves the choice at once, like the theme. */
async function turnNotices(notifications: boolean): Promise<void> {
  const isSaved = await savePreferences({ notifications });
  if (!isSaved) showToast('error', 'Failed to save your preferences. Please try again.');
}
