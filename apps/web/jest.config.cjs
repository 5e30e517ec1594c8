module.exports = {
  ...require('../../jest.preset.cjs'),
  rootDir: __dirname,
  testEnvironment: '<rootDir>/jest.environment.cjs',
  setupFilesAfterEnv: ['<rootDir>/jest.setup.ts'],
  moduleNameMapper: { '\\.css$': '<rootDir>/jest.css-stub.cjs' },
};
