import { type BackendInfo, type Fact, unknown } from '@energy-bench/spec'
import type { Llama, LlamaContext, LlamaModel } from 'node-llama-cpp'
import type { ChatTemplate } from '../chat-template/chat-template.js'
import { quantizationOfFileType } from '../shared/quantization-name.js'

/** Engine parts that the info is read from. */
export interface EngineParts {
  readonly llama: Llama
  readonly model: LlamaModel
  readonly context: LlamaContext
  readonly prompt: ChatTemplate
  /** `sha256:<hex>` of the file. */
  readonly digest: string
}

/** Describes what really runs, asked from the engine. */
export function describeModel({ llama, model, context, prompt, digest }: EngineParts): BackendInfo {
  const { general } = model.fileInfo.metadata
  return {
    engine: 'llama.cpp (node-llama-cpp)',
    engineVersion: llama.llamaCppRelease.release,
    model: general.name ?? unknown('the file has no general.name'),
    modelDigest: digest,
    quantization: quantizationOf(general.file_type),
    contextTokens: context.contextSize,
    slots: 1,
    threads: context.idealThreads,
    gpuLayers: model.gpuLayers,
    deviceUuids: deviceUuidsOf(llama),
    processId: process.pid,
    promptCache: 'off',
    chatTemplateDigest: prompt.digest,
    // What node-llama-cpp does when nothing is asked of it.
    samplingApplied: { topK: 40, topP: 0.95, minP: 0 },
    settings: {
      buildType: llama.buildType,
      gpu: llama.gpu === false ? 'none' : llama.gpu,
      cpuMathCores: llama.cpuMathCores,
      flashAttention: context.flashAttention === true || context.flashAttention === 'auto',
      batchTokens: context.batchSize,
      chatTemplate: prompt.source,
    },
  }
}

function quantizationOf(fileType: number | undefined): Fact<string> {
  if (fileType === undefined) return unknown('the file has no general.file_type')
  return (
    quantizationOfFileType(fileType) ?? unknown(`general.file_type ${fileType} has no known name`)
  )
}

function deviceUuidsOf(llama: Llama): Fact<readonly string[]> {
  return llama.gpu === false ? [] : unknown('node-llama-cpp does not tell the UUIDs of its devices')
}
