"""The API's resources, one module for each area."""
