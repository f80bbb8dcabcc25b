import data from '../../data/core-templates.json' with { type: 'json' }

/** Word lists, phrases and templates of the core suite; the Python training recipe reads the same file. */
export const templates = data
