"""The job as Beam transforms: thin, since everything they call runs without a runner as well."""
