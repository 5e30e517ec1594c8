export const ALREADY_USED = 'This tweet has already been used for a token launch';
export const LAUNCH_FAILED = 'Failed to launch token. Please try again.';
export const NOT_OPEN = 'Launching is not open at the moment. Please come back later.';
