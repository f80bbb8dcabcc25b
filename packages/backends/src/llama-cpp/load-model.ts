import { availableParallelism } from 'node:os'
import { EnergyBenchError, type LoadOptions } from '@energy-bench/spec'
import type { Llama, LlamaContext, LlamaModel } from 'node-llama-cpp'
import { createChatTemplate } from '../chat-template/chat-template.js'
import { messageOf } from '../shared/backend-errors.js'
import { hashFile } from '../shared/hash-file.js'
import { checkModelFile, modelInvalid } from './check-model-file.js'
import type { LlamaCppOptions } from './create-llama-cpp.js'
import { importNative, type NativeModule } from './import-native.js'
import type { EngineParts } from './model-info.js'
import { startEngine } from './start-engine.js'

/** Context when neither the caller nor the model sets a smaller one, tokens. */
const defaultContextTokens = 8192

/** Opens a file; the caller disposes `model`, and with it the context. */
export async function loadModel(
  path: string,
  options: LlamaCppOptions & LoadOptions,
): Promise<EngineParts> {
  const { signal } = options
  await checkModelFile(path)
  const digest = await hashFile(path, signal)
  const native = await importNative()
  await checkHeader(native, path)
  const llama = await startEngine(native, options.gpu ?? 'auto')
  const model = await openModel(llama, path, signal)
  try {
    const context = await openContext(model, options)
    const prompt = createChatTemplate(model.fileInfo.metadata.tokenizer?.chat_template, {
      bosToken: model.tokens.bosString ?? '',
      eosToken: model.tokens.eosString ?? '',
    })
    return { llama, model, context, prompt, digest }
  } catch (error) {
    await model.dispose()
    throw error
  }
}

/** The JavaScript reader fails cleanly on bytes that could crash the native one. */
async function checkHeader(native: NativeModule, path: string): Promise<void> {
  try {
    await native.readGgufFileInfo(path, { sourceType: 'filesystem', logWarnings: false })
  } catch (cause) {
    throw modelInvalid(`The header of "${path}" is damaged: ${messageOf(cause)}.`, cause)
  }
}

async function openModel(
  llama: Llama,
  modelPath: string,
  signal: AbortSignal | undefined,
): Promise<LlamaModel> {
  try {
    return await llama.loadModel({
      modelPath,
      ...(signal === undefined ? {} : { loadSignal: signal }),
    })
  } catch (cause) {
    signal?.throwIfAborted()
    throw modelInvalid(`llama.cpp cannot load "${modelPath}": ${messageOf(cause)}.`, cause)
  }
}

async function openContext(
  model: LlamaModel,
  { contextTokens, threads, signal }: LlamaCppOptions & LoadOptions,
): Promise<LlamaContext> {
  const contextSize = contextTokens ?? Math.min(model.trainContextSize, defaultContextTokens)
  try {
    return await model.createContext({
      contextSize,
      threads: threads ?? defaultThreads(),
      // On a CPU llama.cpp decodes a fifth faster without it (small model, measured; see README).
      ...(model.gpuLayers === 0 ? { flashAttention: false } : {}),
      ...(signal === undefined ? {} : { createSignal: signal }),
    })
  } catch (cause) {
    signal?.throwIfAborted()
    throw new EnergyBenchError(
      'backend-unavailable',
      `A context of ${contextSize} tokens cannot be made: ${messageOf(cause)}.`,
      { fix: 'Set a smaller contextTokens.', cause, isRetryable: false },
    )
  }
}

/** llama.cpp threads spin: with other work on few cores, a second thread can make it 1000 times slower. */
function defaultThreads(): number {
  const cores = availableParallelism()
  return cores <= 4 ? 1 : Math.floor(cores / 2)
}
