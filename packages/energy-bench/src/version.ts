import packageJson from '../package.json' with { type: 'json' }

/** Version of the package `energy-bench`. */
export const version: string = packageJson.version
