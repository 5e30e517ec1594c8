/* global SwaggerUIBundle */
// Trusted types stay on; the renderer writes markup of its own and cleans what it shows of the description.
window.trustedTypes?.createPolicy('default', { createHTML: (text) => text });

// The renderer's dark colours hang on a class. The archive's pages keep the chosen theme under this name.
const dark = matchMedia('(prefers-color-scheme: dark)');
const applyTheme = () => {
  const chosen = localStorage.getItem('amber.theme') ?? 'system';
  const isDark = chosen === 'dark' || (chosen !== 'light' && dark.matches);
  document.documentElement.classList.toggle('dark-mode', isDark);
};
dark.addEventListener('change', applyTheme);
applyTheme();

SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#docs',
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  // Keys and sessions have no place on this page.
  supportedSubmitMethods: [],
  syntaxHighlight: false,
  validatorUrl: null,
});
