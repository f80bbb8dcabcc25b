export type { FakeBackendOptions, FakeText } from './create-fake-backend.js'
export { createFakeBackend } from './create-fake-backend.js'
