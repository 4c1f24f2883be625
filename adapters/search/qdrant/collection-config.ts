export const DENSE = "dense";
export const SPARSE = "words";

export const collectionConfig = (dimension: number) => ({
  // Quantized vectors in memory find candidates; the full vectors on disk compare them.
  vectors: { [DENSE]: { size: dimension, distance: "Cosine", on_disk: true } },
  quantization_config: { scalar: { type: "int8", quantile: 0.99, always_ram: true } },
  sparse_vectors: { [SPARSE]: { modifier: "idf" } },
  // Every search concerns one workspace, so each workspace has its own graph instead of one graph for all.
  hnsw_config: { m: 0, payload_m: 16 },
  on_disk_payload: true,
});

/**
 * All fields that filters use. In strict mode, which its cloud uses, Qdrant refuses filters on other fields. Only
 * workspaces have their own graphs, because a graph per word would cost more than everything else. Before 1.17, Qdrant
 * does not know `enable_hnsw` and builds a graph for each word that thousands of points share.
 */
export const INDEXES = {
  workspaceId: { type: "keyword", is_tenant: true },
  tags: { type: "keyword", enable_hnsw: false },
  words: { type: "keyword", enable_hnsw: false },
  pending: { type: "bool", enable_hnsw: false },
  revision: { type: "keyword", enable_hnsw: false, on_disk: true },
} as const;
