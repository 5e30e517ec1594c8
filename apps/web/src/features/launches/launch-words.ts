/** Texts about launches, for cards, dialogs and toasts. */
export const ALREADY_USED = 'This tweet has already been used for a token launch';
export const LAUNCH_FAILED = 'Failed to launch token. Please try again.';
export const NOT_OPEN = 'Launching is not open at the moment. Please come back later.';

export const PAUSED_TIP = 'Launching is not open now';
export const SIGN_IN_TIP = 'Sign in to launch token';

/** Shown where a launch starts. */
export const CONNECT_TO_LAUNCH = 'Please connect your wallet and sign in to launch a token';
export const SIGN_IN_TO_LAUNCH = 'Please sign in to launch a token';

/** Shown in the launch form. */
export const CONNECT_FIRST = 'Please connect your wallet first';
export const SIGN_IN_FIRST = 'Please sign in with your wallet first';
