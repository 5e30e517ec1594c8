/** Apart from the wallet itself, so that the dialog can label it without its code. */
export const LOCAL_WALLET_NAME = 'Local wallet';
